namespace Smc.Memory.Reachability;

/// <summary>Counts the rows of a graph that lead to themselves: Tarjan's strongly connected components, without recursion, since lists are long.</summary>
internal sealed class ReferenceCycles(Func<ulong, ulong[]> targetsOf)
{
    private readonly Dictionary<ulong, Node> _nodes = [];
    private readonly Stack<Node> _open = new();

    /// <summary>How many of some rows are on a cycle. References to other rows count as none.</summary>
    public long Count(IReadOnlySet<ulong> rows)
    {
        long cyclic = 0;
        foreach (ulong row in rows)
        {
            if (!_nodes.ContainsKey(row)) cyclic += Visit(row, rows);
        }
        return cyclic;
    }

    private long Visit(ulong first, IReadOnlySet<ulong> rows)
    {
        long cyclic = 0;
        Stack<Node> path = new([Enter(first, rows)]);
        while (path.TryPeek(out Node? node))
        {
            if (node.Next < node.Targets.Length)
            {
                ulong target = node.Targets[node.Next++];
                if (!_nodes.TryGetValue(target, out Node? known)) path.Push(Enter(target, rows));
                else if (known.IsOpen) node.Low = Math.Min(node.Low, known.Number);
                continue;
            }
            path.Pop();
            if (path.TryPeek(out Node? parent)) parent.Low = Math.Min(parent.Low, node.Low);
            if (node.Low == node.Number) cyclic += Close(node);
        }
        return cyclic;
    }

    private Node Enter(ulong row, IReadOnlySet<ulong> rows)
    {
        Node node = new(row, _nodes.Count, Array.FindAll(targetsOf(row), rows.Contains));
        _nodes.Add(row, node);
        _open.Push(node);
        return node;
    }

    /// <summary>Takes the component that ends with a node.</summary>
    /// <returns>Its rows, if they are on a cycle.</returns>
    private long Close(Node last)
    {
        long size = 0;
        Node node;
        do
        {
            node = _open.Pop();
            node.IsOpen = false;
            size++;
        }
        while (node != last);
        return size > 1 || Array.IndexOf(last.Targets, last.Row) >= 0 ? size : 0;
    }

    private sealed class Node(ulong row, int number, ulong[] targets)
    {
        public ulong Row { get; } = row;

        public int Number { get; } = number;

        public ulong[] Targets { get; } = targets;

        public int Low { get; set; } = number;

        public int Next { get; set; }

        public bool IsOpen { get; set; } = true;
    }
}
