using Smc.Collections;
using Smc.Memory;

namespace Retire;

/// <summary>Rows that refer to each other, and what threads do to them, with one way to know which of them may go.</summary>
/// <remarks>
/// A program by hand does what the library does for <see cref="Keeping.Retire"/>: who is done with a row says so, and it stays as long as a stored reference leads to it. With <see cref="Keeping.Counts"/>
/// each store counts under a lock of the stripe of the row; with <see cref="Keeping.Stopped"/> writers hold a lock, shared, which the sweep takes for itself.
/// </remarks>
internal abstract class World : IDisposable
{
    /// <summary>Bytes of rows that wait, above which somebody sweeps: the library's soft mark, and that of the sweep by hand.</summary>
    public const long SoftMark = 2 << 20;

    private readonly Lock[] _stripes = [.. Enumerable.Range(0, 256).Select(static _ => new Lock())];
    private readonly ReaderWriterLockSlim _stop = new();
    private long _waiting;

    protected World(Keeping keeping)
    {
        Keeping = keeping;
        Manager = new MemoryManager(new MemoryManagerOptions { Retired = keeping == Keeping.Retire ? new RetireBudget { SoftMark = SoftMark } : RetireBudget.OnDemand });
    }

    public Keeping Keeping { get; }

    /// <summary>Bytes of rows whose owner is done with them and that are not gone.</summary>
    public long Waiting => Keeping == Keeping.Retire ? Manager.RetiredBytes : Volatile.Read(ref _waiting);

    /// <summary>The rows that are there, hidden ones too.</summary>
    public abstract long Rows { get; }

    protected MemoryManager Manager { get; }

    /// <summary>One change by the only thread that writes.</summary>
    public void Write(Random random)
    {
        if (Keeping != Keeping.Stopped)
        {
            Change(random);
            return;
        }
        _stop.EnterReadLock();
        try
        {
            Change(random);
        }
        finally
        {
            _stop.ExitReadLock();
        }
    }

    /// <summary>Follows some references. A row on the way may go meanwhile, if somebody has taken the way away.</summary>
    public void Read(Random random)
    {
        try
        {
            Follow(random);
        }
        catch (RowRemovedException)
        {
            // The reader had a handle, which keeps nothing.
        }
    }

    /// <summary>Makes room: the library does so itself above the soft mark.</summary>
    public void SweepAboveMark()
    {
        if (Keeping == Keeping.Stopped && Waiting > SoftMark) Sweep();
    }

    /// <summary>Takes all rows away that may go and can be told.</summary>
    public void Sweep()
    {
        switch (Keeping)
        {
            case Keeping.Retire:
                Manager.CollectRetired();
                break;
            case Keeping.Stopped:
                _stop.EnterWriteLock();
                try
                {
                    RemoveUnmarked();
                }
                finally
                {
                    _stop.ExitWriteLock();
                }
                break;
        }
    }

    /// <summary>The rows that plain mark and sweep keeps; throws if one of them is gone. Nobody writes meanwhile.</summary>
    public abstract long CountReached();

    public void Dispose()
    {
        Manager.Dispose();
        _stop.Dispose();
    }

    protected abstract void Change(Random random);

    protected abstract void Follow(Random random);

    /// <summary>Mark and sweep: removes rows that are done with and that no other row leads to. No writer is at work.</summary>
    protected abstract void RemoveUnmarked();

    /// <summary>A row was removed with which its owner was done.</summary>
    protected void CountGone(int rowBytes) => Interlocked.Add(ref _waiting, -rowBytes);

    /// <summary>A reference to a row is about to be stored.</summary>
    protected void Hold<T>(T row)
        where T : unmanaged, IKept
    {
        if (Keeping != Keeping.Counts) return;
        lock (StripeOf(row)) row.References++;
    }

    /// <summary>A reference to a row is stored no more.</summary>
    /// <returns>Whether the caller is to remove the row.</returns>
    protected bool LetGo<T>(T row)
        where T : unmanaged, IKept
    {
        if (Keeping != Keeping.Counts) return false;
        lock (StripeOf(row)) return --row.References == 0 && row.IsDone;
    }

    /// <summary>The owner is done with a row.</summary>
    /// <returns>Whether the caller is to remove it.</returns>
    protected bool Finish<T>(Collection<T> rows, T row, int rowBytes)
        where T : unmanaged, IKept
    {
        if (Keeping == Keeping.Retire)
        {
            rows.Retire(row);
            return false;
        }
        Interlocked.Add(ref _waiting, rowBytes);
        lock (StripeOf(row))
        {
            row.IsDone = true;
            return Keeping == Keeping.Counts && row.References == 0;
        }
    }

    protected static void Require(bool holds, string what)
    {
        if (!holds) throw new InvalidOperationException(what);
    }

    private Lock StripeOf<T>(T row)
        where T : unmanaged => _stripes[row.GetHashCode() & 255];
}
