using System.Runtime.CompilerServices;

namespace Smc.Memory.Epochs;

/// <summary>The word in which a thread says in what epoch it entered its critical section, and whether the section is a write window, too (<see cref="WriteSection"/>).</summary>
/// <remarks>
/// <code>
/// 0 outside,  epoch + 1 in a section,  -(epoch + 1) in a section that is a window
/// </code>
/// </remarks>
internal static class Announcement
{
    /// <summary>What says both is one store.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Make(long epoch, bool isWindow) => isWindow ? ~epoch : epoch + 1;

    /// <summary>The word without what it says of a window: 0 outside, else the epoch + 1.</summary>
    public static long OfSection(long word) => word < 0 ? -word : word;

    /// <summary>Whether the section is a write window.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsWindow(long word) => word < 0;
}
