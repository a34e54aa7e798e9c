using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Smc.Memory.Platform;

/// <summary>mmap and its relatives on Linux and macOS.</summary>
[UnsupportedOSPlatform("windows")]
internal static partial class UnixMemory
{
    private const int ProtNone = 0;
    private const int ProtRead = 1;
    private const int ProtReadWrite = 3;
    private const int MapPrivate = 0x2;
    private const int MapFixed = 0x10;
    private const int LinuxDontNeed = 4;
    private const int LinuxHugePage = 14;
    private const int LinuxNoHugePage = 15;
    private static readonly int s_anonymous = OperatingSystem.IsLinux() ? 0x20 : 0x1000;
    private static readonly int s_noReserve = OperatingSystem.IsLinux() ? 0x4000 : 0x40;

    public static ulong Map(long bytes, long alignment, bool hugePages)
    {
        ulong address = MapAligned(bytes, alignment, ProtReadWrite, MapPrivate | s_anonymous);
        if (address != 0 && OperatingSystem.IsLinux())
            _ = madvise((nint)address, (nuint)bytes, hugePages ? LinuxHugePage : LinuxNoHugePage);
        return address;
    }

    public static ulong Reserve(long bytes, long alignment) => MapAligned(bytes, alignment, ProtNone, MapPrivate | s_anonymous | s_noReserve);

    public static void Unmap(ulong address, long bytes) => _ = munmap((nint)address, (nuint)bytes);

    /// <summary>Takes the memory away and leaves the addresses, which nobody gets again and any access to which faults.</summary>
    public static void Forbid(ulong address, long bytes)
    {
        // A new mapping over the old one: neighbours become one area for the system, which allows only so many areas (65,530 on Linux).
        // Where it refuses, the old pages stay, without access.
        if (mmap((nint)address, (nuint)bytes, ProtNone, MapPrivate | MapFixed | s_anonymous | s_noReserve, -1, 0) == -1)
            _ = mprotect((nint)address, (nuint)bytes, ProtNone);
    }

    public static bool Commit(ulong address, long bytes, bool hugePages)
    {
        if (mprotect((nint)address, (nuint)bytes, ProtReadWrite) != 0) return false;
        if (hugePages && OperatingSystem.IsLinux()) _ = madvise((nint)address, (nuint)bytes, LinuxHugePage);
        return true;
    }

    /// <summary>Gives pages back to the system; they read as zero then.</summary>
    /// <returns>False if the system keeps them as they are: they are locked (mlockall), or its memory for areas is used up.</returns>
    public static bool TryDiscard(ulong address, long bytes)
    {
        // Linux promises zeros after MADV_DONTNEED on private anonymous memory. Elsewhere a new mapping over the old one does the same.
        return OperatingSystem.IsLinux()
            ? madvise((nint)address, (nuint)bytes, LinuxDontNeed) == 0
            : mmap((nint)address, (nuint)bytes, ProtReadWrite, MapPrivate | MapFixed | s_anonymous, -1, 0) != -1;
    }

    /// <summary>Puts a mapping that reads as zero and cannot be written in the place of another. The system keeps nothing of that, neither pages nor page tables.</summary>
    /// <returns>False if the system allows the process no more mappings; nothing has changed.</returns>
    public static bool TryMapZeros(ulong address, long bytes) =>
        mmap((nint)address, (nuint)bytes, ProtRead, MapPrivate | MapFixed | s_anonymous | s_noReserve, -1, 0) != -1;

    public static void UseSmallPages(ulong address, long bytes) => _ = madvise((nint)address, (nuint)bytes, LinuxNoHugePage);

    private static ulong MapAligned(long bytes, long alignment, int protection, int flags)
    {
        long padded = bytes + alignment;
        nint mapped = mmap(0, (nuint)padded, protection, flags, -1, 0);
        if (mapped == -1) return 0;
        ulong start = (ulong)mapped;
        ulong aligned = (start + (ulong)alignment - 1) & ~((ulong)alignment - 1);
        ulong end = aligned + (ulong)bytes;
        if (aligned > start) Unmap(start, (long)(aligned - start));
        if (end < start + (ulong)padded) Unmap(end, (long)(start + (ulong)padded - end));
        return aligned;
    }

    [LibraryImport("libc")]
    private static partial nint mmap(nint address, nuint length, int protection, int flags, int fd, nint offset);

    [LibraryImport("libc")]
    private static partial int munmap(nint address, nuint length);

    [LibraryImport("libc")]
    private static partial int mprotect(nint address, nuint length, int protection);

    [LibraryImport("libc")]
    private static partial int madvise(nint address, nuint length, int advice);
}
