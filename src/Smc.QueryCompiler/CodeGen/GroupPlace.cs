using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>How generated code reads the keys and aggregates of a group.</summary>
internal abstract class GroupPlace
{
    /// <summary>The value of a key.</summary>
    public abstract string Key(int index);

    /// <summary>The word of a key that is a string or a row.</summary>
    public abstract string KeyBits(int index);

    /// <summary>The value of an aggregate.</summary>
    public abstract string Aggregate(int index);

    /// <summary>An aggregate that is a sum of decimals, as 64-bit units of a scale, and what says that it is one; null for others.</summary>
    public virtual (string IsNarrow, string Units, int Scale)? NarrowSum(int index) => null;
}

/// <summary>A group where its aggregate keeps it: a record in the region, or the state itself when there are no keys.</summary>
/// <param name="emitter">The aggregate.</param>
/// <param name="address">The variable with the record's address.</param>
internal sealed class RecordGroup(AggregateEmitter emitter, string address) : GroupPlace
{
    public AggregateEmitter Emitter => emitter;

    public string Address => address;

    public override string Key(int index) => emitter.Key(index, address);

    public override string KeyBits(int index) => emitter.KeyBits(index, address);

    public override string Aggregate(int index) => emitter.Result(index, address);

    public override (string IsNarrow, string Units, int Scale)? NarrowSum(int index) => emitter.NarrowSum(index, address);
}

/// <summary>A group of which single values were kept.</summary>
internal sealed class StoredGroup(IReadOnlyDictionary<PlanRead, ValuePlace> values, int group) : GroupPlace
{
    public override string Key(int index) => Plain(values[new PlanRead(ReadKind.Key, group, index)]);

    public override string KeyBits(int index) => values[new PlanRead(ReadKind.Key, group, index)].Text;

    public override string Aggregate(int index) => Plain(values[new PlanRead(ReadKind.Aggregate, group, index)]);

    public ValuePlace Place(PlanRead read) => values[read];

    private static string Plain(ValuePlace place) => place.Form switch
    {
        ValueForm.Word => $"{KernelApi.StringWord}.Decode({place.Text})",
        ValueForm.Handle => throw new InvalidOperationException("a row is kept as a handle and read by its bits"),
        _ => place.Text,
    };
}
