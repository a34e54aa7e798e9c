using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The threads that share a scan. The caller begins with all blocks; who has nothing to do takes over the second half of the longest rest that somebody has, and reads it
/// into a state of its own. States are merged into that of the caller in the order of their blocks, each by the thread that has it, when all before it are;
/// until then the thread goes on taking over.
/// </summary>
/// <remarks>
/// The scan ends even if no other thread ever comes to help. A block that fails ends the scan for what is behind it, not for what is before: the exception
/// of the first block that failed is the one that one thread would have met.
/// </remarks>
/// <param name="context">The collection.</param>
/// <param name="blocks">Its blocks.</param>
/// <param name="least">The fewest blocks that are worth a state of their own.</param>
internal sealed class ScanTeam<TScan, TState>(MemoryContext context, BlockList blocks, int least)
    where TScan : IParallelScan<TState>
    where TState : struct, allows ref struct
{
    /// <summary>So many segments a thread reads ahead of what can be merged.</summary>
    private const int MaxDepth = 4;

    private readonly UninterruptedGate _gate = new();
    private readonly ScanSegment _first = new(0, blocks.Count);
    private readonly QueryOptions _options = KernelOptions.Current with { DegreeOfParallelism = 1 };
    private readonly RegionBudget? _budget = RegionBudget.Current;

    // Both states lie on the caller's stack, which stays as it is while any thread is at work: see AwaitAll.
    private unsafe void* _state;
    private unsafe void* _initial;

    // The first block that failed ends the scan.
    private int _end = int.MaxValue;
    private int _helpers;
    private bool _isOver;
    private bool _hasGivenUp;
    private Exception? _failure;

    /// <summary>Runs the scan; false when the fast variant of the kernel gives up.</summary>
    /// <param name="state">The state of the caller.</param>
    /// <param name="helpers">How many other threads may help.</param>
    public unsafe bool TryRun(ref TState state, int helpers)
    {
        TState initial = state;
        _state = Unsafe.AsPointer(ref state);
        _initial = Unsafe.AsPointer(ref initial);
        try
        {
            for (int i = 0; i < helpers; i++)
                ThreadPool.QueueUserWorkItem(static team => team.Help(), this, preferLocal: false);
            using KernelOptions.Scope scope = KernelOptions.Join(_options, _budget);
            if (TryScan(ref state, _first))
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

        using (KernelOptions.Join(_options, _budget))
            TakeOver();
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

    /// <summary>Takes over the end of the longest rest; null if none is long enough.</summary>
    private ScanSegment? TrySplit()
    {
        using (_gate.Enter())
        {
            if (_end != int.MaxValue)
                return null;
            ScanSegment longest = _first;
            for (ScanSegment? segment = _first; segment is not null; segment = segment.Behind)
                longest = segment.Rest > longest.Rest ? segment : longest;
            return longest.TrySplit(least);
        }
    }

    /// <summary>Reads a segment into a state of its own, and sees to it that it is merged.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="before">What the thread has read before and could not merge yet.</param>
    private unsafe void RunApart(ScanSegment segment, ReadSegment? before)
    {
        // SAFETY: the caller's stack has the initial state until AwaitAll returns, and nobody changes it.
        TState mine = Unsafe.AsRef<TState>(_initial);
        try
        {
            TScan.Begin(ref mine);
            if (!TryScan(ref mine, segment))
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
            TScan.End(ref mine);
        }
    }

    private bool TryScan(ref TState state, ScanSegment segment)
    {
        using CriticalSection section = CriticalSection.Enter();
        int block = segment.First;
        try
        {
            while (segment.TryTake(out block))
            {
                if (block >= Volatile.Read(ref _end))
                    return false;
                using BlockScanner scan = BlockScanner.OfBlock(context, blocks, block);
                if (!scan.MoveNext() || TScan.Scan(ref state, scan.Block, scan.SlotCount, scan.IsDense ? 0 : scan.Validity))
                    continue;
                GiveUp();
                return false;
            }

            return true;
        }
        catch (Exception exception)
        {
            EndBefore(block, exception);
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
                using UninterruptedGate.Scope alone = KernelMutants.MergesOutOfTurn ? _gate.Enter() : default;
                // SAFETY: the caller's stack has the first state, and who has the turn uses it alone; frames of this thread have the other.
                if (!TScan.Merge(ref Unsafe.AsRef<TState>(_state), ref Unsafe.AsRef<TState>(next.State)))
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

    private bool IsTurnOfInside(ScanSegment segment) => segment.Before!.IsMerged || (KernelMutants.MergesOutOfTurn && _first.IsMerged);

    /// <summary>Waits until everything before a segment is merged, or will never be.</summary>
    private void AwaitTurn(ScanSegment segment)
    {
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

    private void EndBefore(int block, Exception failure)
    {
        using (_gate.Enter())
        {
            if (block < _end)
            {
                _end = block;
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
        {
            _isOver = true;
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
