using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Smc.Memory.Strings;

/// <summary>The interned columns of a collection and the chunks that they share.</summary>
internal sealed class InternedStrings
{
    /// <summary>Graces that pass between <see cref="BeginReset"/> and the end.</summary>
    public const int ResetGraces = 3;

    private readonly StringHeap _heap;
    private readonly StringSegments _segments;
    private readonly InternedColumn[] _columns;
    private InternedChunks _chunks;
    private InternedChunks? _leaving;
    private int _isResetting;

    /// <param name="heap">The heap that they belong to.</param>
    /// <param name="segments">Its memory.</param>
    /// <param name="layout">The rows; its string columns are interned.</param>
    /// <param name="maxTexts">Texts of a column at most.</param>
    public InternedStrings(StringHeap heap, StringSegments segments, BlockLayout layout, int maxTexts)
    {
        _heap = heap;
        _segments = segments;
        _chunks = new InternedChunks(segments);
        _columns =
        [
            .. layout.Columns.ToArray().Where(static column => column.Storage == ColumnStorage.String)
                .Select(column => new InternedColumn(column.Offset, maxTexts, this)),
        ];
    }

    /// <summary>Frees what columns retire.</summary>
    public Reclaimer Reclaimer => _heap.Reclaimer;

    /// <summary>Where columns put new texts.</summary>
    public InternedChunks Chunks => Volatile.Read(ref _chunks);

    /// <summary>Bytes of chunks that rows hold.</summary>
    public long LiveBytes => Chunks.LiveBytes;

    /// <summary>Bytes of chunks that wait for readers after <see cref="BeginReset"/>.</summary>
    public long RetiredBytes => Volatile.Read(ref _leaving)?.LiveBytes ?? 0;

    /// <summary>True if words may stand for texts; see <see cref="InternedColumn"/>.</summary>
    public bool IsExact(InternedColumn column) => Volatile.Read(ref _isResetting) == 0 && column.IsExact;

    /// <summary>The column whose words begin at an offset of the block, or null.</summary>
    public InternedColumn? Find(int offset)
    {
        foreach (InternedColumn column in _columns)
        {
            if (column.Offset == offset) return column;
        }
        return null;
    }

    /// <summary>
    /// Begins to give the chunks of a collection back that has just been cleared. It takes three graces, since words are handed out all the time:
    /// kernels that rely on words end, then new tables take over, then those end who may still write a word of the old ones, and rows
    /// that were added meanwhile get words of the new tables, then those end who read the old chunks. Stops without effect if the collection fills again before the tables were changed.
    /// </summary>
    public void BeginReset(StringCompaction compaction)
    {
        if (LiveBytes == 0 || Interlocked.Exchange(ref _isResetting, 1) != 0) return;
        Reclaimer.Retire(new KernelsEnded(this, compaction));
    }

    /// <summary>Gives all memory back. No reader can have a word any more.</summary>
    public void Release()
    {
        Chunks.Release();
        Volatile.Read(ref _leaving)?.Release();
    }

    private sealed class KernelsEnded(InternedStrings strings, StringCompaction compaction) : Retired
    {
        public override void Release()
        {
            if (strings._heap.IsHolding)
            {
                // Kernels that read through a snapshot ask for texts of that time.
                strings.Reclaimer.Retire(this);
                return;
            }
            if (!compaction.IsEmpty)
            {
                Volatile.Write(ref strings._isResetting, 0);
                return;
            }
            // Chunks first: a word of the new chunks in an old table does no harm, the other way round it would outlive its chunk.
            Volatile.Write(ref strings._leaving, strings._chunks);
            Volatile.Write(ref strings._chunks, new InternedChunks(strings._segments));
            foreach (InternedColumn column in strings._columns) column.Reset();
            strings.Reclaimer.Retire(new WritersEnded(strings, compaction));
        }
    }

    private sealed class WritersEnded(InternedStrings strings, StringCompaction compaction) : Retired
    {
        public override void Release()
        {
            if (compaction.IsDisposed) return;
            if (compaction.TryInternAgain()) strings.Reclaimer.Retire(new ChunksUnread(strings, compaction));
            else strings.Reclaimer.Retire(this);
        }
    }

    private sealed class ChunksUnread(InternedStrings strings, StringCompaction compaction) : Retired
    {
        public override void Release()
        {
            if (strings._heap.IsHolding && !compaction.IsDisposed)
            {
                strings.Reclaimer.Retire(this);
                return;
            }
            strings._leaving?.Release();
            Volatile.Write(ref strings._leaving, null);
            Volatile.Write(ref strings._isResetting, 0);
        }
    }
}
