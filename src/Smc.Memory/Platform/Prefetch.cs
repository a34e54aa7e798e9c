using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace Smc.Memory.Platform;

/// <summary>Asks for memory before it is needed. Does nothing where the platform has no such instruction.</summary>
internal static class Prefetch
{
    /// <summary>Asks for the cache line at an address, which may be any.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Line(ulong address)
    {
        // SAFETY: a prefetch reads nothing and raises nothing.
        if (Sse.IsSupported) Sse.Prefetch0((void*)address);
    }
}
