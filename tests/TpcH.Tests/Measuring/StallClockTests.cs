using Xunit;

namespace TpcH.Tests.Measuring;

public sealed class StallClockTests
{
    [Fact]
    public void A_thread_that_sleeps_between_steps_is_held_up_by_itself()
    {
        using var clock = new StallClock();
        clock.Step();
        Thread.Sleep(20);
        clock.Step();

        Assert.InRange(clock.LongestOwn, TimeSpan.FromMilliseconds(10), clock.Longest);
        Assert.Equal(2, clock.Steps);
    }

    [Fact]
    public void Gaps_of_more_than_a_millisecond_are_counted()
    {
        using var clock = new StallClock();
        Assert.Equal(0, clock.LongPerSecond);

        Thread.Sleep(20);
        clock.Step();

        // However long the machine held this thread up besides: a thousand of them fill a second.
        Assert.InRange(clock.LongPerSecond, double.Epsilon, 1000);
    }
}
