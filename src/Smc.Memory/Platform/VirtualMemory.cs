using System.Numerics;
using System.Runtime.Versioning;

namespace Smc.Memory.Platform;

/// <summary>
/// The only door to the operating system's virtual memory. Everything that the library keeps outside the managed heap is obtained here:
/// arenas for blocks, ranges for entries, segments for strings and chunks for regions.
/// </summary>
/// <remarks>Addresses are numbers; 0 means that the system refused. Sizes are in bytes and multiples of <see cref="PageSize"/>.</remarks>
internal static class VirtualMemory
{
    /// <summary>Every mapping starts at a multiple of this, on every system.</summary>
    public const int Granularity = 64 * 1024;

    /// <summary>Size and alignment of a large page on x64 and Arm64.</summary>
    public const int HugePageSize = 2 * 1024 * 1024;

    /// <summary>Handles keep entry addresses in 48 bits; see <see cref="Handle"/>.</summary>
    public const ulong AddressLimit = 1UL << 48;

    public static readonly int PageSize = Environment.SystemPageSize;

    /// <summary>Set by tests only.</summary>
    public static MappingProbe? Probe { get; set; }

    /// <summary>Maps readable and writable memory that reads as zero.</summary>
    /// <param name="bytes">Size, a multiple of <see cref="Granularity"/> or of the page size.</param>
    /// <param name="hugePages">True aligns to <see cref="HugePageSize"/> and asks for large pages where the system has them on request;
    /// false asks for small ones, so that what is not touched costs nothing.</param>
    /// <returns>The address, or 0.</returns>
    public static ulong Map(long bytes, bool hugePages)
    {
        if (Probe?.Refuses(bytes) == true) return 0;
        ulong address = OperatingSystem.IsWindows()
            ? WindowsMemory.Map(bytes)
            : UnixMemory.Map(bytes, hugePages ? HugePageSize : Granularity, hugePages);
        if (address != 0) Probe?.Mapped(address, bytes);
        return Addressable(address, bytes);
    }

    /// <summary>Gives a mapping, or a reservation, back whole; in <see cref="GuardMode"/> its addresses stay, without access.</summary>
    public static void Unmap(ulong address, long bytes)
    {
        if (Probe?.Keeps(address, bytes) == true) return;
        if (GuardMode.IsOn)
        {
            Forbid(address, bytes);
            if (!GuardMode.Keep(ref address, ref bytes)) return;
        }
        if (OperatingSystem.IsWindows()) WindowsMemory.Unmap(address);
        else UnixMemory.Unmap(address, bytes);
    }

    /// <summary>Has the system put pages behind a mapping now, not when they are used. It changes nothing in them, whoever reads or writes there meanwhile.</summary>
    /// <safety>The memory stays mapped until the call returns.</safety>
    public static unsafe void Touch(ulong address, long bytes)
    {
        // SAFETY: as the caller promises. A write that changes nothing, as one access.
        for (ulong end = address + (ulong)bytes; address < end; address += (ulong)PageSize) Interlocked.Or(ref *(int*)address, 0);
    }

    /// <summary>Reserves addresses without memory behind them.</summary>
    public static ulong Reserve(long bytes)
    {
        if (Probe?.Refuses(bytes) == true) return 0;
        ulong address = OperatingSystem.IsWindows() ? WindowsMemory.Reserve(bytes) : UnixMemory.Reserve(bytes, HugePageSize);
        return Addressable(address, bytes);
    }

    /// <summary>Puts memory that reads as zero behind a part of a reservation.</summary>
    public static bool Commit(ulong address, long bytes, bool hugePages)
    {
        if (Probe?.Refuses(bytes) == true) return false;
        return OperatingSystem.IsWindows() ? WindowsMemory.Commit(address, bytes) : UnixMemory.Commit(address, bytes, hugePages);
    }

    /// <summary>
    /// Gives the pages of a committed part back to the system. The part stays readable and reads as zero from now on, also where the system
    /// keeps the pages.
    /// </summary>
    public static void Discard(ulong address, long bytes)
    {
        if (!CanDiscard(address, bytes) || !UnixMemory.TryDiscard(address, bytes)) Clear(address, bytes);
    }

    /// <summary>Gives a committed part back for good. It stays readable and reads as zero, and nobody writes there before it is committed again.</summary>
    /// <param name="address">Where it begins.</param>
    /// <param name="bytes">Its size.</param>
    /// <param name="before">So many bytes before it were left earlier and lie in the same large page: only for all of one the system gives up its own tables.</param>
    /// <returns>False if the system keeps the pages, cleared.</returns>
    /// <remarks>On Linux and macOS a mapping takes the place of others in one call. Readers that need a page meanwhile wait for it: the system has its mappings under a lock.</remarks>
    public static bool TryLeave(ulong address, long bytes, long before)
    {
        if (CanDiscard(address, bytes) && (UnixMemory.TryMapZeros(address - (ulong)before, bytes + before) || UnixMemory.TryDiscard(address, bytes))) return true;
        Clear(address, bytes);
        return false;
    }

    /// <summary>
    /// Whether <see cref="Discard"/> gives memory back that others read at the same time: Windows clears it, and elsewhere a new mapping
    /// takes its place, of which nobody promises that there is no moment in between.
    /// </summary>
    public static bool DiscardsInPlace => OperatingSystem.IsLinux();

    /// <summary>Asks for small pages in a part where large ones were asked for: what is discarded there shall not come back with its neighbours.</summary>
    public static void UseSmallPages(ulong address, long bytes)
    {
        if (OperatingSystem.IsLinux()) UnixMemory.UseSmallPages(address, bytes);
    }

    /// <summary>Rounds up to a multiple of <paramref name="unit"/>, a power of two.</summary>
    public static long RoundUp(long bytes, long unit)
    {
        System.Diagnostics.Debug.Assert(BitOperations.IsPow2(unit));
        return (bytes + unit - 1) & -unit;
    }

    // Windows cannot drop committed pages and keep them readable without a moment in which they are not, and a stale handle may be read in
    // that moment.
    [UnsupportedOSPlatformGuard("windows")]
    private static bool CanDiscard(ulong address, long bytes) => Probe?.RefusesToDiscard(address, bytes) != true && !OperatingSystem.IsWindows();

    // Word by word: a stale handle may be read meanwhile, and must find the whole word of an entry, or zero.
    private static unsafe void Clear(ulong address, long bytes)
    {
        // SAFETY: the caller of Discard owns the committed part, whose size is a multiple of the page size.
        for (ulong* word = (ulong*)address, end = (ulong*)(address + (ulong)bytes); word < end; word++) Volatile.Write(ref *word, 0);
    }

    private static void Forbid(ulong address, long bytes)
    {
        if (OperatingSystem.IsWindows()) WindowsMemory.Forbid(address, bytes);
        else UnixMemory.Forbid(address, bytes);
    }

    private static ulong Addressable(ulong address, long bytes)
    {
        if (address == 0 || address + (ulong)bytes <= AddressLimit) return address;
        Unmap(address, bytes);
        throw new PlatformNotSupportedException(
            $"The system handed out the address 0x{address:x}, which needs more than 48 bits. SelfManaged keeps addresses in 48 bits.");
    }
}
