using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>A sequence: a recipe for operators. Every use opens it anew, so that no two uses share variables.</summary>
internal abstract record SequenceValue : SymbolicValue
{
    /// <summary>What the query's author holds in hand: decides whether it can be part of the result.</summary>
    public SequenceForm Form { get; init; }

    /// <summary>The C# type, for sequences that are part of the result.</summary>
    public PlanType? Type { get; init; }

    /// <summary>For a set, the comparer that it has, as <see cref="Subquery.Comparer"/>.</summary>
    public string? Comparer { get; init; }

    /// <summary>Fresh operators, and what one of their elements is.</summary>
    public abstract Pipe Open();
}

/// <summary>Operators so far, and what one of their elements is.</summary>
internal sealed record Pipe(LogicalOperator Input, SymbolicValue Element);

/// <summary>How a sequence exists in LINQ to Objects.</summary>
internal enum SequenceForm
{
    /// <summary>It is evaluated when it is enumerated.</summary>
    Deferred,

    /// <summary>Its elements are fixed: those of a group.</summary>
    Snapshot,

    /// <summary>It is evaluated when it is enumerated, of elements that are fixed. As part of a result it is evaluated with the query.</summary>
    OfSnapshot,

    List,
    Array,
    HashSet,
}

/// <summary>What operators make of sequences.</summary>
internal sealed record DerivedSequence(Func<Pipe> Recipe) : SequenceValue
{
    private Pipe? _opened;

    /// <summary>What the next <see cref="Open"/> returns.</summary>
    public Pipe Peek() => _opened ??= Recipe();

    public override Pipe Open()
    {
        Pipe pipe = Peek();
        _opened = null;
        return pipe;
    }
}

/// <summary>Elements written in place.</summary>
internal sealed record WrittenSequence(IReadOnlyList<SymbolicValue> Elements, Func<Pipe> Recipe) : SequenceValue
{
    /// <summary>Whether it is an array, a list or a set: what C# makes of the elements where an interface is wanted is its own affair.</summary>
    public bool IsMadeAtOnce => Type is { CSharp.Length: > 0 } type && (Form == SequenceForm.Array
        || type.CSharp.StartsWith("global::System.Collections.Generic.List<", StringComparison.Ordinal) || type.CSharp.StartsWith("global::System.Collections.Generic.HashSet<", StringComparison.Ordinal));

    public override Pipe Open() => Recipe();
}

/// <summary>The elements of a group, perhaps filtered and projected: what can be an aggregate of the group becomes one.</summary>
/// <param name="Group">The grouping.</param>
/// <param name="Predicate">Which rows of the group; null for all.</param>
/// <param name="Element">What one of the elements is, over the variables of the grouping's input.</param>
/// <param name="IsDistinct">Whether equal elements count once; then the element is a scalar.</param>
/// <param name="Outward">How expressions of the group are read where the sequence stands; null where the group itself is visible.</param>
internal sealed record GroupElements(
    GroupBuilder Group,
    ScalarExpression? Predicate,
    SymbolicValue Element,
    bool IsDistinct = false,
    Func<ScalarExpression, ScalarExpression>? Outward = null) : SequenceValue
{
    public override Pipe Open() => Outward is null
        ? Group.OpenRows(this)
        : throw new QueryNotTranslatableException("the rows of a group after another grouping or set operation", where: null);
}

/// <summary>One group: its key and its elements.</summary>
internal sealed record GroupValue(PlanType? Type, SymbolicValue Key, GroupElements Elements) : SymbolicValue;
