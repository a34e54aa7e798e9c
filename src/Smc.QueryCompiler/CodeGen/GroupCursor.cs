namespace Smc.QueryCompiler.CodeGen;

/// <summary>A group that a pipeline made: variable <c>group</c>, or the state itself when the query has one group.</summary>
internal sealed class GroupCursor(AggregateSinkEmitter groups) : Cursor
{
    public const string Group = "group";

    public override string Key(int index) => groups.Key(index);

    public override string KeyBits(int index) => groups.KeyBits(index);

    public override string Aggregate(int index) => groups.Result(index);
}
