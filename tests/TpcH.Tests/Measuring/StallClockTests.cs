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
        // Compiled here, so that the compiler holds nobody up below.
        using (var first = new StallClock())
        {
            first.Step();
            _ = first.LongPerSecond;
        }

        using var clock = new StallClock();
        clock.Step();
        Assert.Equal(0, clock.LongPerSecond);
        Thread.Sleep(20);
        clock.Step();
        Assert.InRange(clock.LongPerSecond, 1, 50);
    }
}
