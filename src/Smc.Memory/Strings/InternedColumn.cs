using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Strings;

/// <summary>
/// Gives equal texts of one column one chunk, as long as the column has few distinct texts.
/// </summary>
/// <remarks>
/// <code>
/// taking in --MaxTexts texts--> closed                                          look-ups go on
///     |
///     +--texts hardly repeat--> closed, not exact --two epochs later--> given up    no look-up any more
/// </code>
/// Invariant while <see cref="IsExact"/>: a text is either in the table, and every row of the column that holds it holds the interned word, or it is
/// not, and no row holds an interned word of it. So a word found in the table stands for the text in every row. A text comes into the table with
/// the first row that stores it and never after it was stored otherwise: before a table closes every text that fits is added, and afterwards none.
/// Kernels ask <see cref="IsExact"/> at their beginning, inside the critical section in which they use the answer; a column stops looking up only when
/// those that got a yes have ended.
/// </remarks>
internal sealed class InternedColumn(int offset, int maxTexts, InternedStrings owner)
{
    /// <summary>Longer texts are not interned.</summary>
    public const int MaxTextBytes = SizeClass.LongestShort;

    // A quarter of the table must have seen one repetition for every eight texts, or the texts count as distinct.
    private readonly int _firstLook = Math.Max(1, maxTexts / 4);
    private readonly int _enoughHits = Math.Max(1, maxTexts / 32);
    private readonly Lock _lock = new();
    private InternTable? _table = new();
    private bool _isDistinct;
    private int _hits;

    /// <summary>Where the column's words are in a block: its name here.</summary>
    public int Offset => offset;

    /// <summary>True if the invariant holds: words may stand for texts.</summary>
    public bool IsExact => !Volatile.Read(ref _isDistinct);

    /// <summary>Texts in the table.</summary>
    public int Count => Volatile.Read(ref _table)?.Count ?? 0;

    /// <summary>True if texts are still added.</summary>
    public bool TakesIn => Volatile.Read(ref _table) is { IsClosed: false };

    /// <summary>Finds the interned word of a text or interns it.</summary>
    /// <param name="text">More than <see cref="StringWord.MaxInlineBytes"/> and at most <see cref="MaxTextBytes"/> bytes.</param>
    /// <param name="hash">Its hash.</param>
    /// <param name="word">The word, or 0.</param>
    /// <returns>False if the text gets a chunk of its own.</returns>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing is changed.</exception>
    /// <safety>The caller is inside a critical section, in which the word comes into a row or is forgotten.</safety>
    public bool TryIntern(ReadOnlySpan<byte> text, ulong hash, out ulong word)
    {
        word = 0;
        if (Volatile.Read(ref _table) is not { } table) return false;
        bool wasClosed = table.IsClosed;
        word = table.Find(text, hash);
        if (word == 0) return !wasClosed && TryAdd(text, hash, out word);
        // Approximate when several threads count.
        if (_hits < _enoughHits) _hits++;
        return true;
    }

    /// <summary>The interned word of a text, or 0.</summary>
    /// <safety>The caller is inside a critical section, in which it uses the word.</safety>
    public ulong Find(ReadOnlySpan<byte> text) => Volatile.Read(ref _table) is { } table ? table.Find(text, StringWord.Hash(text)) : 0;

    /// <summary>Starts again without texts.</summary>
    public void Reset()
    {
        lock (_lock)
        {
            Volatile.Write(ref _table, new InternTable());
            Volatile.Write(ref _isDistinct, false);
            _hits = 0;
        }
    }

    private bool TryAdd(ReadOnlySpan<byte> text, ulong hash, out ulong word)
    {
        lock (_lock)
        {
            word = 0;
            if (_table is not { } table) return false;
            word = table.Find(text, hash);
            if (word != 0) return true;
            if (table.IsClosed) return false;
            if (table.Count >= maxTexts || (table.Count == _firstLook && _hits < _enoughHits))
            {
                table.Close();
                if (table.Count < maxTexts) GiveUp(table);
                return false;
            }
            word = owner.Chunks.Add(text, hash);
            Volatile.Write(ref _table, table.With(word, hash));
            return true;
        }
    }

    private void GiveUp(InternTable table)
    {
        Volatile.Write(ref _isDistinct, true);
        owner.Reclaimer.Retire(new UnusedTable(this, table));
    }

    /// <summary>Drops a table when no kernel relies on it any more.</summary>
    private sealed class UnusedTable(InternedColumn column, InternTable table) : Retired
    {
        public override void Release() => Interlocked.CompareExchange(ref column._table, null, table);
    }
}
