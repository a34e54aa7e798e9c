using System.Runtime.CompilerServices;

namespace Smc.Memory.Strings;

/// <summary>
/// The interned words of a column, by text: open addressing, never more than half full. A slot goes from 0 to a word once, so look-ups need no lock;
/// a table that gets too small is replaced by a larger one.
/// </summary>
internal sealed class InternTable
{
    private readonly ulong[] _slots;
    private bool _isClosed;

    private InternTable(int slots) => _slots = new ulong[slots];

    public InternTable()
        : this(16)
    {
    }

    public int Count { get; private set; }

    /// <summary>
    /// True when no text is added any more. Read before a look-up: what is not found after that is not interned and never will be.
    /// </summary>
    public bool IsClosed => Volatile.Read(ref _isClosed);

    /// <summary>Makes this table the last one. The caller holds the column's lock.</summary>
    public void Close() => Volatile.Write(ref _isClosed, true);

    /// <summary>Finds the word of a text.</summary>
    /// <returns>0 if it is not here.</returns>
    /// <safety>The caller is inside a critical section: the chunks are freed when the collection was cleared.</safety>
    public ulong Find(ReadOnlySpan<byte> text, ulong hash)
    {
        ulong filter = StringWord.Filter(hash, text.Length);
        ulong[] slots = _slots;
        for (uint i = First(hash); ; i++)
        {
            // Acquire; partner: the release in Add, which comes after the text.
            ulong word = Volatile.Read(ref slots[i & (uint)(slots.Length - 1)]);
            if (word == 0) return 0;
            if (((word ^ filter) >> 48) == 0 && StringWord.Bytes(in word).SequenceEqual(text)) return word;
        }
    }

    /// <summary>Adds a word that is not here. The caller holds the column's lock.</summary>
    /// <returns>The table with the word: this one, or a larger one.</returns>
    public InternTable With(ulong word, ulong hash)
    {
        InternTable table = this;
        if (Count * 2 >= _slots.Length)
        {
            table = new InternTable(_slots.Length * 2);
            foreach (ulong known in _slots)
            {
                if (known != 0) table.Add(known, StringWord.Hash(StringWord.Bytes(in known)));
            }
        }
        table.Add(word, hash);
        return table;
    }

    private void Add(ulong word, ulong hash)
    {
        uint i = First(hash);
        while (_slots[i & (uint)(_slots.Length - 1)] != 0) i++;
        Volatile.Write(ref _slots[i & (uint)(_slots.Length - 1)], word);
        Count++;
    }

    // The upper half of a hash is the better one; its highest eight bits are the filter of the word.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint First(ulong hash) => (uint)(hash >> 32);
}
