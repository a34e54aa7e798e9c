namespace Smc.QueryCompiler.CodeGen;

/// <summary>Where generated code finds a row.</summary>
internal abstract record RowPlace
{
    /// <summary>The row as one number: its block's address and its slot.</summary>
    public abstract string Location { get; }
}

/// <summary>The row that a loop over a block is at.</summary>
/// <param name="Block">The variable with the block's address.</param>
/// <param name="Slot">The variable with the slot.</param>
internal sealed record SlotPlace(string Block, string Slot) : RowPlace
{
    public const string BlockName = "block";
    public const string SlotName = "slot";

    /// <summary>What methods that work on one block call them.</summary>
    public static readonly SlotPlace Current = new(BlockName, SlotName);

    public override string Location => $"({Block} | {Slot})";
}

/// <summary>A row that is kept as its location.</summary>
/// <param name="Text">The location.</param>
/// <param name="CanBeNull">Whether it may be 0, for a row that an outer join did not find.</param>
internal sealed record LocationPlace(string Text, bool CanBeNull) : RowPlace
{
    public override string Location => Text;
}
