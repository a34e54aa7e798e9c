using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;

namespace Smc.Memory.Reachability;

/// <summary>Reads the references of all rows that are not retired, on several threads if it may, and marks the candidates that they lead to.</summary>
/// <remarks>
/// The threads take piece after piece of the collections' blocks. The work ends even if no other thread ever comes to help.
/// Invariants: a piece that was taken has been read when <see cref="TryRun"/> returns true, by whomever, and the candidates that its references lead to are marked. Until then they are noted in the
/// filters, which only the threads of the pass have; marks are set by interlocked operations, since those who store references set them, too.
/// </remarks>
/// <param name="contexts">The collections.</param>
/// <param name="filters">The candidates.</param>
/// <param name="findsDangling">Whether to count references to rows that are gone. To look at each row that is referred to takes longer than to read the references.</param>
/// <param name="isOver">Asked for each piece: true to end early.</param>
internal sealed class ReferencePass(MemoryContext[] contexts, CandidateFilter[] filters, bool findsDangling, Func<bool> isOver)
{
    // A thread is woken for so many blocks at least.
    private const int BlocksOfThread = 2;

    // 64 rows each.
    private const int WordsAtOnce = 16;

    private readonly SharedRoute[] _routes = [.. contexts.Where(static context => context.References.Length > 0).Select(static context => new SharedRoute(context))];
    private readonly Dictionary<(MemoryContext Context, ReferenceColumn Column), long> _dangling = [];
    private readonly object _gate = new();
    private bool _isShared;
    private int _helpers;
    private bool _isDone;
    private bool _endsEarly;
    private Exception? _failure;
    private long _bytes;

    /// <summary>Bytes of references that were gone through so far.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>References to rows that are gone, by column; when the pass is over.</summary>
    public IReadOnlyDictionary<(MemoryContext Context, ReferenceColumn Column), long> Dangling => _dangling;

    /// <summary>Reads all references.</summary>
    /// <param name="degree">Threads at most.</param>
    /// <param name="report">Called by this thread for each piece that it has read.</param>
    /// <returns>False if it ended early.</returns>
    public bool TryRun(int degree, Action? report)
    {
        int helpers = Math.Min(degree, _routes.Sum(static route => route.Context.Store.List.Count) / BlocksOfThread) - 1;
        _isShared = helpers > 0;
        for (int i = 0; i < helpers; i++) ThreadPool.UnsafeQueueUserWorkItem(static pass => pass.Help(), this, preferLocal: false);
        try
        {
            ReadAll(report);
        }
        finally
        {
            AwaitHelpers();
        }
        if (_failure is not null) ExceptionDispatchInfo.Throw(_failure);
        if (Volatile.Read(ref _endsEarly)) return false;
        // The helpers left by the lock, so what they noted is seen here.
        foreach (CandidateFilter filter in filters) filter.MarkFound();
        return true;
    }

    private void Help()
    {
        lock (_gate)
        {
            if (_isDone) return;
            _helpers++;
        }
        try
        {
            ReadAll(report: null);
        }
        catch (Exception failure)
        {
            // The caller throws it.
            Interlocked.CompareExchange(ref _failure, failure, null);
            Volatile.Write(ref _endsEarly, true);
        }
        lock (_gate)
        {
            _helpers--;
            Monitor.PulseAll(_gate);
        }
    }

    private void AwaitHelpers()
    {
        lock (_gate)
        {
            _isDone = true;
            while (_helpers > 0) Monitor.Wait(_gate);
        }
    }

    private void ReadAll(Action? report)
    {
        foreach (SharedRoute route in _routes)
        {
            while (TryReadPiece(route)) report?.Invoke();
            if (Volatile.Read(ref _endsEarly)) return;
        }
    }

    /// <summary>Reads the next piece of a collection.</summary>
    /// <returns>False if there is none, or the pass ends early.</returns>
    private bool TryReadPiece(SharedRoute route)
    {
        if (Volatile.Read(ref _endsEarly)) return false;
        if (isOver())
        {
            Volatile.Write(ref _endsEarly, true);
            return false;
        }
        MemoryContext context = route.Context;
        using CriticalSection section = CriticalSection.Enter();
        if (context.IsDisposed || !route.TryTake(out BlockRef block, out int from, out int to)) return false;
        if (_isShared) ProtocolSteps.Reach(ProtocolStep.ScanPieceTaken);
        foreach (ReferenceColumn column in context.References) Read(context, column, block, from, to);
        Interlocked.Add(ref _bytes, (to - from) * (long)context.References.Length * sizeof(ulong));
        return true;
    }

    private void Read(MemoryContext context, in ReferenceColumn column, BlockRef block, int from, int to)
    {
        if (findsDangling) CountDangling(context, column, block, from, to);
        if (column.IsDirect)
        {
            // Places, not handles: each is asked for its row.
            if (filters.Length > 0) MarkOneByOne(column, block, from, to);
            return;
        }
        // A handle of one collection that falls on a bit of another's comes to its own, too.
        foreach (CandidateFilter filter in filters)
        {
            if (filter.MayBeIn(column, block)) Note(filter, column, block, from, to);
        }
    }

    [SkipLocalsInit]
    private void Note(CandidateFilter filter, in ReferenceColumn column, BlockRef block, int from, int to)
    {
        Span<ulong> maybe = stackalloc ulong[WordsAtOnce];
        for (int first = from >> 6, end = (to + 63) >> 6; first < end; first += WordsAtOnce)
        {
            int words = Math.Min(WordsAtOnce, end - first);
            ulong values = column.Place.AddressAt(block, first * 64);
            uint stride = column.Place.Stride;
            filter.Find(values, stride, maybe[..words]);
            for (int word = 0; word < words; word++)
            {
                ulong rows = maybe[word];
                if (rows != 0 && (rows &= RowsOf(block, first + word, from, to)) != 0) filter.Note(values + ((ulong)word * 64 * stride), stride, rows, _isShared);
            }
        }
    }

    private static void MarkOneByOne(in ReferenceColumn column, BlockRef block, int from, int to)
    {
        for (int word = from >> 6; word * 64 < to; word++)
        {
            for (ulong rows = RowsOf(block, word, from, to); rows != 0; rows &= rows - 1)
                Mark(column.TargetAt(block, (word * 64) + BitOperations.TrailingZeroCount(rows)));
        }
    }

    private void CountDangling(MemoryContext context, in ReferenceColumn column, BlockRef block, int from, int to)
    {
        long found = 0;
        for (int word = from >> 6; word * 64 < to; word++)
        {
            for (ulong rows = RowsOf(block, word, from, to); rows != 0; rows &= rows - 1)
            {
                ulong target = column.TargetAt(block, (word * 64) + BitOperations.TrailingZeroCount(rows));
                if (target != 0 && !Handle.IsAlive(target)) found++;
            }
        }
        if (found == 0) return;
        lock (_dangling) CollectionsMarshal.GetValueRefOrAddDefault(_dangling, (context, column), out _) += found;
    }

    /// <summary>Marks the row of a handle if it is a candidate.</summary>
    private static void Mark(ulong target)
    {
        if (target != 0 && ReferenceBarrier.CandidateOf(target, out uint id) is { } part && !part.Marked.IsSet(id)) part.Marked.TrySet(id);
    }

    /// <summary>The rows of 64 slots, as far as these are in a range.</summary>
    private static ulong RowsOf(BlockRef block, int word, int from, int to)
    {
        ulong rows = block.ValidWord(word);
        if (word * 64 < from) rows &= ulong.MaxValue << (from & 63);
        if (to - (word * 64) < 64) rows &= (1UL << (to & 63)) - 1;
        return rows;
    }
}
