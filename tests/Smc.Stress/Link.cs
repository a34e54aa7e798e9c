using Smc.Collections;

namespace Smc.Stress;

/// <summary>A row of graphs that change while retired rows are looked for.</summary>
[Tabular]
public readonly partial struct Link
{
    public partial int Number { get; set; }

    public partial Link? Next { get; set; }

    /// <summary>Another row, by its place.</summary>
    [Direct]
    public partial Link? Near { get; set; }

    public partial string Text { get; set; }

    /// <summary>Stores a reference whose row may be gone by then; if it was, the reference is null when this returns.</summary>
    internal void Store(Link? target, bool isNear)
    {
        using WriteGroup group = WriteGroup.Begin();
        Link row = this;
        Store(row, target, isNear);
        // Alive after it was stored: from here on the reference keeps it.
        if ((isNear ? row.Near : row.Next) is { IsAlive: false }) Store(row, null, isNear);
    }

    /// <summary>Throws if a row that this one refers to is gone. The rows that it refers to are added to those that are to be looked at.</summary>
    internal void RequireWhole(Stack<Link> next)
    {
        foreach (Link? target in new[] { Next, Near })
        {
            if (target is not { } there) continue;
            ViolationException.Require(there.IsAlive, $"row {Number} refers to a row that was reclaimed");
            next.Push(there);
        }
    }

    /// <summary>Looks at all rows that rows which are not retired lead to.</summary>
    /// <param name="links">The rows.</param>
    /// <param name="roots">Rows that something else keeps.</param>
    /// <returns>How many there are.</returns>
    internal static int RequireWhole(Collection<Link> links, IEnumerable<Link>? roots = null)
    {
        HashSet<Link> seen = [];
        Stack<Link> next = new(links.AsEnumerable());
        foreach (Link root in roots ?? [])
        {
            ViolationException.Require(root.IsAlive, "a map has a row that was reclaimed");
            next.Push(root);
        }
        while (next.TryPop(out Link link))
        {
            if (seen.Add(link)) link.RequireWhole(next);
        }
        return seen.Count;
    }

    private static void Store(Link row, Link? target, bool isNear)
    {
        if (isNear) row.Near = target;
        else row.Next = target;
    }
}
