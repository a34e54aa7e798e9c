using System.Runtime.CompilerServices;

namespace Smc.Memory.Platform;

/// <summary>Keeps loads in order: those of data before the second look at the word that says whether they count.</summary>
internal static class LoadFence
{
    /// <summary>Loads that come before this are done before those that come after. Free on x64, which keeps the order of loads.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void OrderLoads() => Volatile.ReadBarrier();
}
