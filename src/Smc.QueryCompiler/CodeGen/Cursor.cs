using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>The element that generated code is at, and how that code names what the element holds.</summary>
internal abstract class Cursor
{
    /// <summary>A key of the group.</summary>
    public virtual string Key(int index) => throw new InvalidOperationException("a key is read where there is no group");

    /// <summary>An aggregate of the group.</summary>
    public virtual string Aggregate(int index) => throw new InvalidOperationException("an aggregate is read where there is no group");

    /// <summary>The handle of the row that a key of the group refers to.</summary>
    public virtual string KeyBits(int index) => throw new InvalidOperationException("a key is read where there is no group");
}

/// <summary>A row of a block: variables <c>block</c> and <c>slot</c>.</summary>
internal sealed class RowCursor : Cursor
{
    public const string Block = "block";
    public const string Slot = "slot";

    public static readonly RowCursor Instance = new();

    /// <summary>Statements that set the variables from a location.</summary>
    public static void Declare(CodeWriter writer, string location) =>
        writer.Line($"ulong {Block} = {location} & ~0xFFFFUL, {Slot} = {location} & 0xFFFFUL;");
}
