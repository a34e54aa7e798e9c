using Smc.Memory.Platform;

namespace Smc.Memory.Allocation;

/// <summary>A mapping from which blocks are cut, in granules of 64 KiB. Not thread-safe: its pool holds the lock.</summary>
/// <remarks>Granules of the next runs may be touched before somebody takes them, without the lock: whoever does so says so before and after, and the mapping stays meanwhile.</remarks>
internal sealed class Arena(ulong address, long bytes, bool hugePages)
{
    private readonly ulong[] _used = Bits.For(bytes / VirtualMemory.Granularity);
    private readonly ulong[] _dirty = Bits.For(bytes / VirtualMemory.Granularity);
    private readonly ulong[] _touched = Bits.For(bytes / VirtualMemory.Granularity);
    private readonly int _granules = (int)(bytes / VirtualMemory.Granularity);
    private int _usedGranules;
    private int _touching;

    public ulong Address => address;

    public long Bytes => bytes;

    public bool HugePages => hugePages;

    /// <summary>Whether nobody has a run of it, or is touching one.</summary>
    public bool IsEmpty => _usedGranules == 0 && _touching == 0;

    public long FreeBytes => (_granules - _usedGranules) * (long)VirtualMemory.Granularity;

    private Bits Used => new(_used);

    private Bits Dirty => new(_dirty);

    // Of free granules: the system has put pages behind them.
    private Bits Touched => new(_touched);

    public bool Contains(ulong block) => block - address < (ulong)bytes;

    /// <summary>Takes a run of granules.</summary>
    /// <param name="runBytes">A multiple of the granularity.</param>
    /// <param name="isDirty">True if part of the run was used before and does not read as zero.</param>
    /// <returns>Its address, or 0.</returns>
    public ulong TryTake(long runBytes, out bool isDirty)
    {
        int length = (int)(runBytes / VirtualMemory.Granularity);
        isDirty = false;
        int start = FindRun(length, 0);
        if (start < 0) return 0;
        for (int i = start; i < start + length; i++)
        {
            Used.Set(i);
            isDirty |= Dirty[i];
            Dirty.Set(i);
            Touched.Clear(i);
        }
        _usedGranules += length;
        return address + (ulong)start * VirtualMemory.Granularity;
    }

    /// <summary>Takes a run back.</summary>
    /// <param name="run">Its address.</param>
    /// <param name="runBytes">Its size.</param>
    /// <param name="isClean">True if it reads as zero.</param>
    public void Return(ulong run, long runBytes, bool isClean)
    {
        int start = (int)((run - address) / VirtualMemory.Granularity);
        int length = (int)(runBytes / VirtualMemory.Granularity);
        for (int i = start; i < start + length; i++)
        {
            Used.Clear(i);
            if (isClean) Dirty.Clear(i);
        }
        _usedGranules -= length;
    }

    /// <summary>Finds the next run to touch among those that <see cref="TryTake"/> would give next. <see cref="EndTouch"/> follows.</summary>
    /// <param name="runBytes">A multiple of the granularity.</param>
    /// <param name="wanted">So many bytes are to be touched at most.</param>
    /// <param name="touched">Bytes of runs that are: those of arenas before; those of this one are added.</param>
    /// <returns>Its address, or 0.</returns>
    public ulong BeginTouch(long runBytes, long wanted, ref long touched)
    {
        int length = (int)(runBytes / VirtualMemory.Granularity);
        for (int start = 0; touched + runBytes <= wanted && (start = FindRun(length, start)) >= 0; start += length)
        {
            bool isTouched = true;
            for (int i = start; i < start + length; i++)
            {
                isTouched &= Touched[i];
                Touched.Set(i);
            }
            if (!isTouched)
            {
                _touching++;
                return address + (ulong)start * VirtualMemory.Granularity;
            }
            touched += runBytes;
        }
        return 0;
    }

    /// <summary>The run is touched.</summary>
    public void EndTouch() => _touching--;

    private int FindRun(int length, int from)
    {
        if (_granules - _usedGranules < length) return -1;
        int run = 0;
        for (int i = from; i < _granules; i++)
        {
            if ((i & 63) == 0 && _used[i >> 6] == ulong.MaxValue)
            {
                run = 0;
                i += 63;
                continue;
            }
            run = Used[i] ? 0 : run + 1;
            if (run == length) return i - length + 1;
        }
        return -1;
    }
}
