namespace Smc.QueryCompiler.Physical;

/// <summary>Elements are kept with their keys, and sorted.</summary>
/// <param name="OnlyRange">Whether only a range of them is asked for.</param>
internal sealed record Sort(bool OnlyRange) : PhysicalOperator
{
    public override bool KeepsOnlyValues => false;

    public override IEnumerable<string> Describe() => [OnlyRange ? "only the range that is asked for is kept and sorted (quickselect)" : "all elements are kept with their keys and sorted"];
}
