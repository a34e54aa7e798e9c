using System.Runtime.InteropServices;

namespace Smc.Memory.Epochs;

/// <summary>The global epoch, a counter in cache lines of its own.</summary>
internal static class GlobalEpoch
{
    /// <summary>The epoch in which the process starts.</summary>
    public const long First = 2;

    /// <summary>Address of the counter. Never freed.</summary>
    public static readonly unsafe long* Word = Allocate();

    /// <summary>The epoch now. Acquire: what happened before the advance to it is visible.</summary>
    public static unsafe long Now => Volatile.Read(ref *Word);

    private static unsafe long* Allocate()
    {
        // SAFETY: 256 bytes at an address aligned to 128, cleared before anybody sees it.
        long* word = (long*)NativeMemory.AlignedAlloc(256, 128);
        NativeMemory.Clear(word, 256);
        *word = First;
        return word;
    }
}
