using Smc.QueryCompiler.CodeGen;
using Xunit;

namespace Smc.QueryCompiler.Tests.Generation;

/// <summary>A kernel is found by its name, so kernels that differ must not share one.</summary>
public sealed class NamesOfKernels
{
    [Theory]
    [InlineData("costarring", "liquid")]
    [InlineData("declinate", "macallums")]
    [InlineData("altarage", "zinke")]
    public void Texts_that_a_hash_of_32_bits_confuses_have_different_names(string one, string other) =>
        Assert.NotEqual(GeneratedFile.Fingerprint(one), GeneratedFile.Fingerprint(other));

    [Fact]
    public void The_name_is_the_same_in_every_run_and_differs_in_more_than_case() =>
        Assert.Equal("2oymiquy5qobjgx14tejs13zeq", GeneratedFile.Fingerprint(""));
}
