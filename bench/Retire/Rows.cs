using Smc.Collections;

namespace Retire;

/// <summary>What a program needs in its rows that counts references, or sweeps, by hand.</summary>
internal interface IKept
{
    /// <summary>How many references lead to the row; kept by <see cref="Keeping.Counts"/> only.</summary>
    int References { get; set; }

    /// <summary>Whether the owner is done with the row.</summary>
    bool IsDone { get; set; }
}

/// <summary>An element of a list, or a node of a tree.</summary>
[Tabular]
internal readonly partial struct Node : IKept
{
    public partial int Number { get; set; }

    public partial Node? Left { get; set; }

    public partial Node? Right { get; set; }

    public partial int References { get; set; }

    public partial bool IsDone { get; set; }
}

/// <summary>Has its last order, which has it: a cycle.</summary>
[Tabular]
internal readonly partial struct Customer : IKept
{
    public partial int Number { get; set; }

    public partial Order? LastOrder { get; set; }

    public partial int References { get; set; }

    public partial bool IsDone { get; set; }
}

/// <summary>An order, which is kept by its line items.</summary>
[Tabular]
internal readonly partial struct Order : IKept
{
    public partial int Number { get; set; }

    public partial Customer Customer { get; set; }

    public partial int References { get; set; }

    public partial bool IsDone { get; set; }
}

/// <summary>A line item.</summary>
[Tabular]
internal readonly partial struct Line
{
    public partial int Number { get; set; }

    public partial Order Order { get; set; }
}
