using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory.Platform;

namespace Smc.Stress.Scheduling;

/// <summary>
/// Keeps what a play frees mapped until the play is over, filled with nonsense: whoever reads it late finds that, and the process lives on to tell.
/// </summary>
internal sealed class FreedMemory : MappingProbe, IDisposable
{
    /// <summary>Eight bytes of freed memory.</summary>
    public const long Poison = unchecked((long)0xDEDEDEDEDEDEDEDE);

    private readonly List<(ulong Address, long Bytes)> _kept = [];

    public FreedMemory() => VirtualMemory.Probe = this;

    /// <summary>True if the bytes lie in memory that the play has freed.</summary>
    public static unsafe bool Contains(ReadOnlySpan<byte> bytes)
    {
        ulong address = (ulong)Unsafe.AsPointer(ref MemoryMarshal.GetReference(bytes));
        return VirtualMemory.Probe is FreedMemory freed && freed._kept.Exists(kept => address - kept.Address < (ulong)kept.Bytes);
    }

    public override bool Refuses(long bytes) => false;

    public override void Mapped(ulong address, long bytes)
    {
    }

    public override unsafe bool Keeps(ulong address, long bytes)
    {
        // SAFETY: the mapping is the probe's from now on. The first pages are enough: rows of plays lie there.
        NativeMemory.Fill((void*)address, (nuint)Math.Min(bytes, VirtualMemory.Granularity), GuardMode.PoisonByte);
        _kept.Add((address, bytes));
        return true;
    }

    public void Dispose()
    {
        VirtualMemory.Probe = null;
        foreach ((ulong address, long bytes) in _kept) VirtualMemory.Unmap(address, bytes);
    }
}
