namespace Micro;

/// <summary>Where the keys and values of a list are: in slices, or in arrays of the managed heap.</summary>
/// <typeparam name="TBytes">What leads to bytes.</typeparam>
internal interface IListStore<TBytes>
{
    TBytes Create(int length, long seed);

    /// <summary>Compares the bytes with a key; false if they are gone.</summary>
    bool TryCompare(TBytes bytes, byte[] key, out int order);

    /// <summary>The sum of the words; false if they are gone.</summary>
    bool TryRead(TBytes bytes, out long sum);

    /// <summary>Fills the bytes anew; false if they are gone.</summary>
    bool TryFill(TBytes bytes, long seed);

    void Delete(TBytes bytes);
}

/// <summary>Harris's lock-free sorted list with nodes on the managed heap. A node is deleted when its link leads to a marker, and unlinked by who passes it.</summary>
internal sealed class SortedLinkedList<TStore, TBytes>(TStore store, int keyBytes, int valueBytes)
    where TStore : IListStore<TBytes>
{
    private readonly Node _head = new(default!, default!);

    /// <summary>Fills the list, which is empty and which nobody else uses yet. Entries are made in the order in which keys come, so that neighbours do not lie side by side.</summary>
    public void Load(IReadOnlyCollection<long> keys)
    {
        Node last = _head;
        foreach ((_, Node node) in keys.Select(key => (Key: key, Node: new Node(store.Create(keyBytes, key), store.Create(valueBytes, key)))).ToList().OrderBy(entry => entry.Key))
            last = last.Next = node;
    }

    public bool TryGet(byte[] key, out long sum)
    {
        sum = 0;
        return Find(key, out _, out Node? found) && store.TryRead(found!.Value, out sum);
    }

    /// <summary>True if the key is new.</summary>
    public bool Put(byte[] key, long seed)
    {
        Node? added = null;
        while (true)
        {
            if (Find(key, out Node before, out Node? found))
            {
                if (!store.TryFill(found!.Value, seed))
                    continue;
                if (added is not null)
                    Delete(added);
                return false;
            }

            added ??= new Node(store.Create(keyBytes, seed), store.Create(valueBytes, seed));
            added.Next = found;
            if (Interlocked.CompareExchange(ref before.Next, added, found) == found)
                return true;
        }
    }

    public bool Remove(byte[] key)
    {
        while (Find(key, out Node before, out Node? found))
        {
            Node? next = found!.Next;
            if (next is { IsMarker: true } || Interlocked.CompareExchange(ref found.Next, new Node(next), next) != next)
                continue;
            Delete(found);
            Interlocked.CompareExchange(ref before.Next, next, found);
            return true;
        }

        return false;
    }

    /// <summary>The sums of all values, in the order of their keys. Nobody else uses the list.</summary>
    public IEnumerable<long> Sums()
    {
        for (Node? node = _head.Next; node is not null; node = node.Next)
        {
            if (node.IsMarker || node.Next is { IsMarker: true })
                continue;
            yield return store.TryRead(node.Value, out long sum) ? sum : throw new InvalidOperationException("a value is lost");
        }
    }

    private void Delete(Node node)
    {
        store.Delete(node.Key);
        store.Delete(node.Value);
    }

    // The first node with the key or a higher one, and the one before.
    private bool Find(byte[] key, out Node before, out Node? found)
    {
        while (true)
        {
            before = _head;
            found = before.Next;
            while (found is not null && !found.IsMarker)
            {
                Node? next = Volatile.Read(ref found.Next);
                if (next is { IsMarker: true })
                {
                    if (Interlocked.CompareExchange(ref before.Next, next.Next, found) != found)
                        break;
                    found = next.Next;
                    continue;
                }

                // A key that is gone: the node has its marker by now.
                if (!store.TryCompare(found.Key, key, out int order))
                    continue;
                if (order >= 0)
                    return order == 0;
                (before, found) = (found, next);
            }

            if (found is null)
                return false;
        }
    }

    private sealed class Node
    {
        public readonly TBytes Key = default!;
        public readonly TBytes Value = default!;
        public readonly bool IsMarker;
        public Node? Next;

        public Node(TBytes key, TBytes value) => (Key, Value) = (key, value);

        public Node(Node? next) => (IsMarker, Next) = (true, next);
    }
}
