namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>How many elements there can be, whatever moment is seen.</summary>
internal readonly record struct Bounds(long Low, long High)
{
    public bool Holds(long count) => count >= Low && count <= High;

    public Bounds OrFewer => this with { Low = 0 };

    public Bounds ButNone => new(Math.Min(Low, 1), High);

    public static Bounds operator +(Bounds a, Bounds b) => new(a.Low + b.Low, a.High > long.MaxValue - b.High ? long.MaxValue : a.High + b.High);

    public override string ToString() => Low == High ? $"{Low}" : High == long.MaxValue ? $"at least {Low}" : $"{Low} to {High}";
}

/// <summary>What is known of a value of a query while its rows change.</summary>
internal abstract record Facts
{
    public static readonly Facts None = new UnknownFacts();

    /// <summary>The variable of the group whose key, or number of rows, this is.</summary>
    public (string Group, bool IsCount)? Of { get; init; }
}

/// <summary>Nothing is known.</summary>
internal sealed record UnknownFacts : Facts;

/// <summary>A value that was stored in a column, by its table and name.</summary>
internal sealed record StoredFacts(string Table, string Column, bool CanBeNull) : Facts;

/// <summary>A row of a table.</summary>
internal sealed record RowFacts(string Table) : Facts;

/// <summary>A number of rows.</summary>
internal sealed record CountFacts(Bounds Bounds) : Facts;

/// <summary>An object of several values.</summary>
internal sealed record ObjectFacts(IReadOnlyDictionary<string, Facts> Members) : Facts;

/// <summary>A group: its key and its rows.</summary>
internal sealed record GroupFacts(string? Variable, Facts Key, Facts Row) : Facts;

/// <summary>Elements. Members are named; an empty name is the element itself.</summary>
internal sealed record SequenceFacts(Facts Element, Bounds Count) : Facts
{
    /// <summary>What no two elements have in common.</summary>
    public IReadOnlyList<string> Distinct { get; init; } = [];

    /// <summary>For groups: the rows of all of them.</summary>
    public Bounds? Rows { get; init; }

    /// <summary>Members that count the rows of a group; together they are <see cref="Rows"/>.</summary>
    public IReadOnlyList<string> Counts { get; init; } = [];

    /// <summary>What the elements are ordered by.</summary>
    public (string Member, bool IsDescending)? Order { get; init; }
}
