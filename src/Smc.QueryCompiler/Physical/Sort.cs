namespace Smc.QueryCompiler.Physical;

/// <summary>Elements are kept with their keys, and sorted.</summary>
/// <param name="OnlyRange">Whether only a range of them is asked for.</param>
/// <param name="HasWholeKeys">Whether all keys are whole numbers, or texts that may have ranks: where they fit one word, they are sorted by it.</param>
internal sealed record Sort(bool OnlyRange, bool HasWholeKeys) : PhysicalOperator
{
    public override bool KeepsOnlyValues => false;

    public override IEnumerable<string> Describe() =>
    [
        OnlyRange ? "only the range that is asked for is kept and sorted (quickselect)"
            : HasWholeKeys ? "all elements are kept and sorted, by one word where it can hold all keys"
            : "all elements are kept and sorted",
    ];
}
