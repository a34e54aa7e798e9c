namespace RollUp;

/// <summary>What is counted for each combination of country, day and product.</summary>
public record struct Counters(long Sales, long Units, decimal Revenue)
{
    /// <summary>Adds part by part.</summary>
    public static Counters operator +(Counters a, Counters b) => new(a.Sales + b.Sales, a.Units + b.Units, a.Revenue + b.Revenue);
}
