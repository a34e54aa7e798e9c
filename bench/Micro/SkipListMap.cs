namespace Micro;

/// <summary>
/// A lock-free skip list of managed nodes, the control of <see cref="OrderedMapStudy"/>: links are exchanged level by level from the lowest (Fraser; Herlihy and Shavit, chapter 14).
/// A removal takes the value out and leaves the node, which a later put finds again, so links need no marks.
/// </summary>
internal sealed class SkipListMap<TKey, TValue>(IComparer<TKey> comparer)
    where TValue : class
{
    private const int Levels = 20;

    private readonly Node _head = new(default!, null, Levels);

    public bool TryGet(TKey key, out TValue? value)
    {
        Node? node = FindAtOrAbove(key);
        value = node is not null && comparer.Compare(node.Key, key) == 0 ? Volatile.Read(ref node.Value) : null;
        return value is not null;
    }

    public void Set(TKey key, TValue value)
    {
        if (FindOrAdd(key, value) is { } node) Volatile.Write(ref node.Value, value);
    }

    public bool Remove(TKey key)
    {
        Node? node = FindAtOrAbove(key);
        return node is not null && comparer.Compare(node.Key, key) == 0 && Interlocked.Exchange(ref node.Value, null) is not null;
    }

    public bool TryUpdate(TKey key, Func<TValue, TValue> update)
    {
        Node? node = FindAtOrAbove(key);
        if (node is null || comparer.Compare(node.Key, key) != 0) return false;
        while (true)
        {
            TValue? old = Volatile.Read(ref node.Value);
            if (old is null) return false;
            if (Interlocked.CompareExchange(ref node.Value, update(old), old) == old) return true;
        }
    }

    public IEnumerable<TValue> Ascending(TKey from)
    {
        for (Node? node = FindAtOrAbove(from); node is not null; node = Volatile.Read(ref node.Next[0]))
        {
            if (Volatile.Read(ref node.Value) is { } value) yield return value;
        }
    }

    /// <summary>A search for every key, as in Java's ConcurrentSkipListMap: links lead upwards only.</summary>
    public IEnumerable<TValue> Descending(TKey below)
    {
        for (Node node = FindBelow(below); node != _head; node = FindBelow(node.Key))
        {
            if (Volatile.Read(ref node.Value) is { } value) yield return value;
        }
    }

    private Node? FindAtOrAbove(TKey key) => Volatile.Read(ref FindBelow(key).Next[0]);

    private Node FindBelow(TKey key)
    {
        Node node = _head;
        for (int level = Levels - 1; level >= 0; level--) node = Walk(node, level, key);
        return node;
    }

    private Node Walk(Node node, int level, TKey key)
    {
        while (Volatile.Read(ref node.Next[level]) is { } next && comparer.Compare(next.Key, key) < 0) node = next;
        return node;
    }

    /// <returns>The node that the key has already, or null if it was added.</returns>
    private Node? FindOrAdd(TKey key, TValue value)
    {
        Node[] before = new Node[Levels];
        Node? added = null;
        while (true)
        {
            Node node = _head;
            for (int level = Levels - 1; level >= 0; level--) before[level] = node = Walk(node, level, key);
            Node? next = Volatile.Read(ref node.Next[0]);
            if (next is not null && comparer.Compare(next.Key, key) == 0) return next;
            added ??= new Node(key, value, RandomHeight());
            added.Next[0] = next;
            if (Interlocked.CompareExchange(ref node.Next[0], added, next) == next) break;
        }
        for (int level = 1; level < added.Next.Length; level++) Link(added, level, before[level]);
        return null;
    }

    private void Link(Node added, int level, Node before)
    {
        while (true)
        {
            before = Walk(before, level, added.Key);
            Node? next = Volatile.Read(ref before.Next[level]);
            added.Next[level] = next;
            if (Interlocked.CompareExchange(ref before.Next[level], added, next) == next) return;
        }
    }

    private static int RandomHeight() => Math.Min(Levels, 1 + System.Numerics.BitOperations.TrailingZeroCount((uint)Random.Shared.Next() | 1u << (Levels - 1)));

    private sealed class Node(TKey key, TValue? value, int height)
    {
        public readonly TKey Key = key;
        public readonly Node?[] Next = new Node?[height];
        public TValue? Value = value;
    }
}
