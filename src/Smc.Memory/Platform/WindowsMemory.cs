using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Smc.Memory.Platform;

/// <summary>VirtualAlloc and VirtualFree. Windows aligns every mapping to 64 KiB and has no large pages without a privilege.</summary>
[SupportedOSPlatform("windows")]
internal static partial class WindowsMemory
{
    private const uint MemCommit = 0x1000;
    private const uint MemReserve = 0x2000;
    private const uint MemDecommit = 0x4000;
    private const uint MemRelease = 0x8000;
    private const uint NoAccess = 0x01;
    private const uint ReadWrite = 0x04;

    public static ulong Map(long bytes) => (ulong)VirtualAlloc(0, (nuint)bytes, MemReserve | MemCommit, ReadWrite);

    public static ulong Reserve(long bytes) => (ulong)VirtualAlloc(0, (nuint)bytes, MemReserve, NoAccess);

    public static bool Commit(ulong address, long bytes) => VirtualAlloc((nint)address, (nuint)bytes, MemCommit, ReadWrite) != 0;

    public static void Unmap(ulong address) => _ = VirtualFree((nint)address, 0, MemRelease);

    /// <summary>Takes the memory away and leaves the addresses, which nobody gets again and any access to which faults.</summary>
    public static void Forbid(ulong address, long bytes) => _ = VirtualFree((nint)address, (nuint)bytes, MemDecommit);

    [LibraryImport("kernel32")]
    private static partial nint VirtualAlloc(nint address, nuint size, uint type, uint protection);

    [LibraryImport("kernel32")]
    private static partial int VirtualFree(nint address, nuint size, uint type);
}
