using Xunit;

namespace Smc.PackageTests;

[Collection(nameof(PackedConsumer))]
public sealed class ReadmeSampleTests(PackedConsumer consumer)
{
    [Fact]
    public void The_readme_sample_compiles_and_runs_in_a_project_with_only_the_package_reference()
    {
        string output = consumer.Run("ReadmeSample", ReadmeSample.Program());

        Assert.Equal(ReadmeSample.Output, output);
    }
}
