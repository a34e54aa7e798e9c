using Smc.Collections;

namespace Retire;

/// <summary>Nodes below roots that stay: what lists and trees have in common.</summary>
internal abstract class NodeWorld : World
{
    private const int RootCount = 20_000;
    private const int RowBytes = 28;

    private int _number;

    protected NodeWorld(Keeping keeping)
        : base(keeping)
    {
        Nodes = new Collection<Node>(new CollectionOptions { Manager = Manager });
        Roots = [.. Enumerable.Range(0, RootCount).Select(_ => Add(null, null))];
    }

    public override long Rows => Nodes.Count + Nodes.RetiredCount;

    protected Node[] Roots { get; }

    private Collection<Node> Nodes { get; }

    public override long CountReached()
    {
        HashSet<Node> reached = Mark();
        foreach (Node node in reached) Require(node.IsAlive, $"node {node} is gone, and a row leads to it");
        return reached.Count;
    }

    /// <summary>A new node, which its owner keeps until <see cref="Finish"/>.</summary>
    protected Node Add(Node? left, Node? right)
    {
        if (left is { } l) Hold(l);
        if (right is { } r) Hold(r);
        return Nodes.Add(number: _number++, left: left, right: right, references: 0, isDone: false);
    }

    protected void Finish(Node node)
    {
        if (Finish(Nodes, node, RowBytes)) Remove(node);
    }

    protected void StoreLeft(Node holder, Node? target)
    {
        Node? before = holder.Left;
        if (target is { } held) Hold(held);
        holder.Left = target;
        if (before is { } lost && LetGo(lost)) Remove(lost);
    }

    protected static int Walk(Node root, Random random)
    {
        int seen = 0;
        for (Node? node = root; node is { IsAlive: true } there && seen < 64; seen++)
            node = random.Next(4) == 0 ? there.Right ?? there.Left : there.Left;
        return seen;
    }

    protected override void RemoveUnmarked()
    {
        HashSet<Node> reached = Mark();
        long removed = Nodes.RemoveWhere(node => node.IsDone && !reached.Contains(node));
        CountGone((int)removed * RowBytes);
    }

    private HashSet<Node> Mark()
    {
        HashSet<Node> reached = [];
        Stack<Node> next = new();
        foreach (Node node in Nodes.AsEnumerable())
        {
            if (!node.IsDone) next.Push(node);
        }
        while (next.TryPop(out Node at))
        {
            if (!reached.Add(at)) continue;
            if (at.Left is { } left) next.Push(left);
            if (at.Right is { } right) next.Push(right);
        }
        return reached;
    }

    /// <summary>Removes a node whose count is zero, and what only it led to.</summary>
    private void Remove(Node node)
    {
        Stack<Node> next = new([node]);
        while (next.TryPop(out Node gone))
        {
            (Node? left, Node? right) = (gone.Left, gone.Right);
            Nodes.Remove(gone);
            CountGone(RowBytes);
            if (left is { } l && LetGo(l)) next.Push(l);
            if (right is { } r && LetGo(r)) next.Push(r);
        }
    }
}

/// <summary>Lists that grow at their heads and are cut, some of which share a tail.</summary>
internal sealed class ListWorld(Keeping keeping) : NodeWorld(keeping)
{
    protected override void Change(Random random)
    {
        Node root = Roots[random.Next(Roots.Length)];
        switch (random.Next(20))
        {
            case 0 or 1:
                StoreLeft(root, null);
                break;
            case 2:
                StoreLeft(root, Roots[random.Next(Roots.Length)].Left);
                break;
            default:
                Node added = Add(root.Left, null);
                StoreLeft(root, added);
                Finish(added);
                break;
        }
    }

    protected override void Follow(Random random) => Walk(Roots[random.Next(Roots.Length)], random);
}

/// <summary>Trees of seven nodes that take the places of others, and keep a subtree of them now and then.</summary>
internal sealed class TreeWorld(Keeping keeping) : NodeWorld(keeping)
{
    private readonly Node[] _made = new Node[7];
    private int _count;

    protected override void Change(Random random)
    {
        Node root = Roots[random.Next(Roots.Length)];
        _count = 0;
        Node top = Make(3, random.Next(4) == 0 ? root.Left?.Right : null);
        StoreLeft(root, top);
        for (int i = 0; i < _count; i++) Finish(_made[i]);
    }

    protected override void Follow(Random random) => Walk(Roots[random.Next(Roots.Length)], random);

    private Node Make(int height, Node? kept)
    {
        Node? left = height == 1 ? kept : Make(height - 1, kept), right = height == 1 ? default(Node?) : Make(height - 1, null);
        Node made = Add(left, right);
        _made[_count++] = made;
        return made;
    }
}
