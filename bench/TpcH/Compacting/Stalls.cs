namespace TpcH.Compacting;

/// <summary>How long a thread was held up between two of its steps.</summary>
/// <param name="Longest">As the clock on the wall saw it.</param>
/// <param name="LongestOwn">Without the time in which another thread had the processor.</param>
/// <param name="LongPerSecond">How many a second were longer than a millisecond, without that time.</param>
internal sealed record Stalls(long Steps, TimeSpan Longest, TimeSpan LongestOwn, double LongPerSecond)
{
    public static Stalls Of(StallClock clock) => new(clock.Steps, clock.Longest, clock.LongestOwn, clock.LongPerSecond);
}
