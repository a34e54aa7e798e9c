using Smc.Memory.Platform;

namespace Smc.Memory.Allocation;

/// <summary>A mapping from which blocks are cut, in granules of 64 KiB. Not thread-safe: its pool holds the lock.</summary>
internal sealed class Arena(ulong address, long bytes, bool hugePages)
{
    private readonly ulong[] _used = Bits.For(bytes / VirtualMemory.Granularity);
    private readonly ulong[] _dirty = Bits.For(bytes / VirtualMemory.Granularity);
    private readonly int _granules = (int)(bytes / VirtualMemory.Granularity);
    private int _usedGranules;

    public ulong Address => address;

    public long Bytes => bytes;

    public bool HugePages => hugePages;

    public bool IsEmpty => _usedGranules == 0;

    public long FreeBytes => (_granules - _usedGranules) * (long)VirtualMemory.Granularity;

    private Bits Used => new(_used);

    private Bits Dirty => new(_dirty);

    public bool Contains(ulong block) => block - address < (ulong)bytes;

    /// <summary>Takes a run of granules.</summary>
    /// <param name="runBytes">A multiple of the granularity.</param>
    /// <param name="isDirty">True if part of the run was used before and does not read as zero.</param>
    /// <returns>Its address, or 0.</returns>
    public ulong TryTake(long runBytes, out bool isDirty)
    {
        int length = (int)(runBytes / VirtualMemory.Granularity);
        isDirty = false;
        int start = FindRun(length);
        if (start < 0) return 0;
        for (int i = start; i < start + length; i++)
        {
            Used.Set(i);
            isDirty |= Dirty[i];
            Dirty.Set(i);
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

    private int FindRun(int length)
    {
        if (_granules - _usedGranules < length) return -1;
        int run = 0;
        for (int i = 0; i < _granules; i++)
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
