using Xunit;

namespace TpcH.Tests.Measuring;

public sealed class StolenTimeTests
{
    [Fact]
    public void What_the_host_took_is_counted_on_Linux_and_never_given_back()
    {
        TimeSpan? before = StolenTime.Now();
        TimeSpan? after = StolenTime.Now();

        Assert.Equal(OperatingSystem.IsLinux(), before is not null);
        Assert.False(after < before);
    }
}
