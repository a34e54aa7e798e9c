using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The threads that share a scan or a loop. The caller begins with all pieces; who has nothing to do takes over the second half of the longest rest that somebody has, and does it
/// with a state of its own. States are merged into that of the caller in the order of their pieces, each by the thread that has it, when all before it are;
/// until then the thread goes on taking over.
/// </summary>
/// <remarks>
/// The work ends even if no other thread ever comes to help. A piece that fails ends it for what is behind, not for what is before: the exception
/// of the first piece that failed is the one that one thread would have met.
/// </remarks>
/// <param name="pieces">What is done with a piece.</param>
/// <param name="count">How many pieces there are.</param>
/// <param name="least">The fewest pieces that are worth a state of their own.</param>
internal sealed class ScanTeam<TPieces, TParts, TState>(TPieces pieces, int count, int least)
    where TPieces : struct, IPieces<TState>
    where TParts : IParallelParts<TState>
    where TState : struct, IKernelState<TState>, allows ref struct
{
    /// <summary>So many segments a thread reads ahead of what can be merged.</summary>
    private const int MaxDepth = 4;

    /// <summary>So often a thread looks, each time for a microsecond, before it sleeps until it is woken: what it waits for is mostly the end of a piece, and to be woken takes as long.</summary>
    private const int Looks = 50;

    private const int TurnsPerLook = 32;

    private readonly UninterruptedGate _gate = new();
    private readonly ScanSegment _first = new(0, count);
    private readonly QueryOptions _options = KernelOptions.Current with { DegreeOfParallelism = 1 };
    private readonly RegionBudget? _budget = RegionBudget.Current;
    private readonly MemorySnapshot? _snapshot = SnapshotView.Current;

    // Both states lie on the caller's stack, which stays as it is while any thread is at work: see AwaitAll.
    private unsafe void* _state;
    private unsafe void* _initial;

    // The first piece that failed ends the work.
    private int _end = int.MaxValue;
    private int _helpers;
    private bool _isOver;
    private bool _hasGivenUp;
    private Exception? _failure;

    /// <summary>Does the work; false when the fast variant of the kernel gives up.</summary>
    /// <param name="state">The state of the caller.</param>
    /// <param name="helpers">How many other threads may help.</param>
    public unsafe bool TryRun(ref TState state, int helpers)
    {
        TState initial = state;
        _state = Unsafe.AsPointer(ref state);
        _initial = Unsafe.AsPointer(ref initial);
        for (int i = 0; _options.DividesAtOnce && i < helpers && _first.TrySplit(least) is { } later; i++)
            later.HasThread = false;
        try
        {
            for (int i = 0; i < helpers; i++)
                ThreadPool.QueueUserWorkItem(static team => team.Help(), this, preferLocal: false);
            using KernelOptions.Scope scope = KernelOptions.Join(_options, _budget);
            if (TryDo(ref state, _first))
                PassTurn(_first);
            TakeOver();
        }
        finally
        {
            AwaitAll();
        }

        if (_failure is not null && !_hasGivenUp)
            ExceptionDispatchInfo.Throw(_failure);
        return !_hasGivenUp;
    }

    private void Help()
    {
        using (_gate.Enter())
        {
            if (_isOver)
                return;
            _helpers++;
        }

        MemorySnapshot? before = SnapshotView.Exchange(_snapshot);
        using (KernelOptions.Join(_options, _budget))
            TakeOver();
        SnapshotView.Exchange(before);
        using (_gate.Enter())
        {
            _helpers--;
            _gate.WakeAll();
        }
    }

    private void TakeOver()
    {
        while (TrySplit() is { } segment)
            RunApart(segment, null);
    }

    /// <summary>Takes over the first segment that nobody has, else the end of the longest rest; null if none is long enough.</summary>
    private ScanSegment? TrySplit()
    {
        using (_gate.Enter())
        {
            if (_end != int.MaxValue)
                return null;
            ScanSegment longest = _first;
            for (ScanSegment? segment = _first; segment is not null; segment = segment.Behind)
            {
                if (!segment.HasThread)
                {
                    segment.HasThread = true;
                    return segment;
                }

                longest = segment.Rest > longest.Rest ? segment : longest;
            }

            return longest.TrySplit(least);
        }
    }

    /// <summary>Does a segment with a state of its own, and sees to it that it is merged.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="before">What the thread has read before and could not merge yet.</param>
    private unsafe void RunApart(ScanSegment segment, ReadSegment? before)
    {
        // SAFETY: the caller's stack has the initial state until AwaitAll returns, and nobody changes it.
        TState mine = Unsafe.AsRef<TState>(_initial);
        try
        {
            mine.Begin();
            TParts.Begin(ref mine, segment.First);
            if (!TryDo(ref mine, segment))
                return;
            ReadSegment read = new(segment, Unsafe.AsPointer(ref mine), before);
            while (!TryMerge(read))
            {
                if (read.Depth < MaxDepth && TrySplit() is { } next)
                    RunApart(next, read);
                else
                    AwaitTurn(read.FirstUnmerged.Segment);
            }
        }
        catch (Exception exception)
        {
            EndBefore(segment.First, exception);
        }
        finally
        {
            mine.End();
        }
    }

    private bool TryDo(ref TState state, ScanSegment segment)
    {
        using CriticalSection section = CriticalSection.Enter();
        int piece = segment.First;
        try
        {
            while (segment.TryTake(out piece))
            {
                if (piece >= Volatile.Read(ref _end))
                    return false;
                if (pieces.Do(ref state, piece))
                    continue;
                GiveUp();
                return false;
            }

            return true;
        }
        catch (Exception exception)
        {
            EndBefore(piece, exception);
            return false;
        }
    }

    /// <summary>Merges what a thread has read, as far as it is its turn. True if all is merged, or never will be.</summary>
    private unsafe bool TryMerge(ReadSegment last)
    {
        while (!last.IsMerged)
        {
            ReadSegment next = last.FirstUnmerged;
            if (next.Segment.First >= Volatile.Read(ref _end))
                return true;
            if (!IsTurnOf(next.Segment))
                return false;
            try
            {
                // SAFETY: the caller's stack has the first state, and who has the turn uses it alone; frames of this thread have the other.
                ref TState state = ref Unsafe.AsRef<TState>(_state), part = ref Unsafe.AsRef<TState>(next.State);
                TParts.Merge(ref state, ref part);
                state.Adopt(ref part);
                if (state.HasGivenUp)
                {
                    GiveUp();
                    return true;
                }
            }
            catch (Exception exception)
            {
                EndBefore(next.Segment.First, exception);
                return true;
            }

            next.IsMerged = true;
            PassTurn(next.Segment);
        }

        return true;
    }

    private bool IsTurnOf(ScanSegment segment)
    {
        using (_gate.Enter())
            return IsTurnOfInside(segment);
    }

    private bool IsTurnOfInside(ScanSegment segment) => segment.Before!.IsMerged;

    /// <summary>Waits until everything before a segment is merged, or will never be.</summary>
    private void AwaitTurn(ScanSegment segment)
    {
        // Outside of the gate, so it may see what was: inside it looks again.
        for (int look = 0; look < Looks && !segment.Before!.IsMerged && segment.First < Volatile.Read(ref _end); look++)
            Thread.SpinWait(TurnsPerLook);
        using (_gate.Enter())
        {
            while (!IsTurnOfInside(segment) && segment.First < _end)
                _gate.Wait();
        }
    }

    private void PassTurn(ScanSegment segment)
    {
        using (_gate.Enter())
        {
            segment.IsMerged = true;
            _gate.WakeAll();
        }
    }

    private void EndBefore(int piece, Exception failure)
    {
        using (_gate.Enter())
        {
            if (piece < _end)
            {
                _end = piece;
                _failure = failure;
            }

            _gate.WakeAll();
        }
    }

    private void GiveUp()
    {
        using (_gate.Enter())
        {
            _hasGivenUp = true;
            _end = 0;
            _gate.WakeAll();
        }
    }

    /// <summary>Waits until no other thread uses the caller's stack.</summary>
    private void AwaitAll()
    {
        using (_gate.Enter())
            _isOver = true;
        for (int look = 0; look < Looks && Volatile.Read(ref _helpers) > 0; look++)
            Thread.SpinWait(TurnsPerLook);
        using (_gate.Enter())
        {
            while (_helpers > 0)
                _gate.Wait();
        }

        _gate.Close();
    }

    /// <summary>A segment that a thread has read into a state on its stack.</summary>
    private sealed unsafe class ReadSegment(ScanSegment segment, void* state, ReadSegment? before)
    {
        public ScanSegment Segment => segment;

        public void* State => state;

        public int Depth { get; } = before is null ? 1 : before.Depth + 1;

        public bool IsMerged { get; set; }

        /// <summary>What lies first of all that the thread has not merged.</summary>
        public ReadSegment FirstUnmerged
        {
            get
            {
                ReadSegment found = this;
                for (ReadSegment? read = before; read is not null; read = read.Earlier)
                    found = !read.IsMerged && (found.IsMerged || read.Segment.First < found.Segment.First) ? read : found;
                return found;
            }
        }

        private ReadSegment? Earlier => before;
    }
}
