using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The threads that share a scan. They take parts of the block list in order and read them into states of their own; the states are merged into that
/// of the caller in the order of the parts, each by the thread that has it, when all before it are. Until then a thread reads further parts.
/// </summary>
/// <remarks>
/// Only parts are waited for that a thread has taken. As the caller takes parts, too, the scan ends even if no other thread ever comes to help.
/// A part that fails ends the scan for itself and the parts behind it, not for those before: the exception of the first part that failed is the one
/// that one thread would have met.
/// </remarks>
internal sealed class ScanTeam<TScan, TState>(MemoryContext context, BlockList blocks, int parts)
    where TScan : IParallelScan<TState>
    where TState : struct, allows ref struct
{
    /// <summary>So many parts a thread reads ahead of what can be merged.</summary>
    private const int MaxDepth = 4;

    private readonly UninterruptedGate _gate = new();
    private readonly QueryOptions _options = KernelOptions.Current with { DegreeOfParallelism = 1 };
    private readonly RegionBudget? _budget = RegionBudget.Current;

    // Both states lie on the caller's stack, which stays as it is while any thread is at work: see AwaitAll.
    private unsafe void* _state;
    private unsafe void* _initial;

    // The caller begins with part 0. The first part that failed ends the scan.
    private int _next = 1;
    private int _merged;
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
            Work(0);
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

        if (TryTake(out int part))
            Work(part);
        using (_gate.Enter())
        {
            _helpers--;
            _gate.WakeAll();
        }
    }

    private bool TryTake(out int part)
    {
        part = Interlocked.Increment(ref _next) - 1;
        return part < parts && part < Volatile.Read(ref _end);
    }

    private unsafe void Work(int part)
    {
        using KernelOptions.Scope scope = KernelOptions.Join(_options, _budget);
        do
        {
            if (part == 0)
                RunFirst();
            else
                RunApart(part, null);
        }
        while (TryTake(out part));
    }

    /// <summary>Reads the first part into the state of the caller.</summary>
    private unsafe void RunFirst()
    {
        try
        {
            // SAFETY: the caller's stack has the state, and nobody else touches it before the first part has passed the turn.
            if (TryScan(ref Unsafe.AsRef<TState>(_state), 0))
                PassTurn(0);
        }
        catch (Exception exception)
        {
            EndBefore(0, exception);
        }
    }

    /// <summary>Reads a part into a state of its own, and sees to it that it is merged.</summary>
    /// <param name="part">The part.</param>
    /// <param name="before">A part that the thread has read before and could not merge yet.</param>
    private unsafe void RunApart(int part, ReadPart* before)
    {
        // SAFETY: the caller's stack has the initial state until AwaitAll returns, and nobody changes it.
        TState mine = Unsafe.AsRef<TState>(_initial);
        try
        {
            TScan.Begin(ref mine);
            if (!TryScan(ref mine, part))
                return;
            ReadPart read = new() { Part = part, State = Unsafe.AsPointer(ref mine), Before = before, Depth = before == null ? 1 : before->Depth + 1 };
            while (!TryMerge(&read))
            {
                if (read.Depth < MaxDepth && TryTake(out int next))
                    RunApart(next, &read);
                else
                    AwaitTurn(First(&read)->Part);
            }
        }
        catch (Exception exception)
        {
            EndBefore(part, exception);
        }
        finally
        {
            TScan.End(ref mine);
        }
    }

    /// <summary>Merges the parts that a thread has read, as far as it is their turn. True if all are merged, or never will be.</summary>
    private unsafe bool TryMerge(ReadPart* last)
    {
        if (last->IsMerged)
            return true;
        for (ReadPart* next = First(last); next->Part < Volatile.Read(ref _end); next = First(last))
        {
            if (!IsTurnOf(next->Part))
                return false;
            try
            {
                using UninterruptedGate.Scope alone = ScanMutants.MergesOutOfTurn ? _gate.Enter() : default;
                // SAFETY: the caller's stack has the first state, and who has the turn uses it alone; frames of this thread have the other.
                if (!TScan.Merge(ref Unsafe.AsRef<TState>(_state), ref Unsafe.AsRef<TState>(next->State)))
                {
                    GiveUp();
                    return true;
                }
            }
            catch (Exception exception)
            {
                EndBefore(next->Part, exception);
                return true;
            }

            next->IsMerged = true;
            PassTurn(next->Part);
            if (next == last)
                return true;
        }

        return true;
    }

    private bool IsTurnOf(int part) => Volatile.Read(ref _merged) is var merged && (merged == part || (ScanMutants.MergesOutOfTurn && merged > 0));

    /// <summary>The first part of a thread that is not merged.</summary>
    private static unsafe ReadPart* First(ReadPart* last)
    {
        while (last->Before != null && !last->Before->IsMerged)
            last = last->Before;
        return last;
    }

    private bool TryScan(ref TState state, int part)
    {
        using BlockScanner scan = BlockScanner.OfPart(context, blocks, FirstBlock(part), FirstBlock(part + 1));
        while (scan.MoveNext())
        {
            if (part >= Volatile.Read(ref _end))
                return false;
            if (TScan.Scan(ref state, scan.Block, scan.SlotCount, scan.IsDense ? 0 : scan.Validity))
                continue;
            GiveUp();
            return false;
        }

        return true;
    }

    private int FirstBlock(int part) => (int)((long)blocks.Count * part / parts);

    /// <summary>Waits until all parts before are merged, or will never be.</summary>
    private void AwaitTurn(int part)
    {
        using (_gate.Enter())
        {
            while (_merged < part && part < _end)
                _gate.Wait();
        }
    }

    private void PassTurn(int part)
    {
        using (_gate.Enter())
        {
            Volatile.Write(ref _merged, part + 1);
            _gate.WakeAll();
        }
    }

    private void EndBefore(int part, Exception failure)
    {
        using (_gate.Enter())
        {
            if (part < _end)
            {
                _end = part;
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

    /// <summary>A part that a thread has read, on that thread's stack.</summary>
    private unsafe struct ReadPart
    {
        public int Part;
        public int Depth;
        public bool IsMerged;
        public void* State;
        public ReadPart* Before;
    }
}
