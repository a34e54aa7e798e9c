using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The threads that share a scan. They take parts of the block list in order; who has read a part waits for its turn and merges what it collected
/// into the state of the caller, while the others read on.
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

    private void Work(int part)
    {
        using KernelOptions.Scope scope = KernelOptions.Join(_options, _budget);
        do
            Run(part);
        while (TryTake(out part));
    }

    private unsafe void Run(int part)
    {
        try
        {
            // SAFETY: the caller's stack has both states until AwaitAll returns; the first is used by who has the turn only, the second never changes.
            ref TState state = ref Unsafe.AsRef<TState>(_state);
            bool isWhole = part == 0 ? TryScan(ref state, 0) : TryRunApart(ref state, part);
            if (isWhole)
                PassTurn(part);
        }
        catch (Exception exception)
        {
            EndBefore(part, exception);
        }
    }

    /// <summary>Reads a part into a state of its own, and merges that when it is its turn.</summary>
    private unsafe bool TryRunApart(ref TState state, int part)
    {
        TState mine = Unsafe.AsRef<TState>(_initial);
        try
        {
            TScan.Begin(ref mine);
            if (!TryScan(ref mine, part) || !AwaitTurn(part))
                return false;
            if (TScan.Merge(ref state, ref mine))
                return true;
            GiveUp();
            return false;
        }
        finally
        {
            TScan.End(ref mine);
        }
    }

    private bool TryScan(ref TState state, int part)
    {
        using BlockScanner scan = BlockScanner.OfPart(context, blocks, First(part), First(part + 1));
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

    private int First(int part) => (int)((long)blocks.Count * part / parts);

    /// <summary>Waits until all parts before are merged; false if one of them never will be.</summary>
    private bool AwaitTurn(int part)
    {
        using (_gate.Enter())
        {
            while (_merged < part && part < _end)
                _gate.Wait();
            return part < _end;
        }
    }

    private void PassTurn(int part)
    {
        using (_gate.Enter())
        {
            _merged = part + 1;
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
}
