using System.Numerics;

namespace Smc.Memory.Strings;

/// <summary>
/// Sizes of string chunks: multiples of 8 up to 256 bytes, then four steps for every doubling up to 64 KiB. Longer chunks are mapped singly.
/// The class follows from the length of the text, so a chunk needs no header but that length.
/// </summary>
internal static class SizeClass
{
    /// <summary>Bytes before the text: its length.</summary>
    public const int Header = 4;

    public const int Largest = 64 * 1024;
    public const int Count = FineClasses + CoarseClasses;
    private const int FineLimit = 256;
    private const int FineClasses = FineLimit / 8 + 1;
    private const int StepsPerDoubling = 4;
    private const int CoarseClasses = 8 * StepsPerDoubling;

    /// <summary>True if a text of so many bytes gets a mapping of its own.</summary>
    public static bool IsLarge(int textBytes) => textBytes > Largest - Header;

    /// <summary>The class of the chunk for a text that is not large.</summary>
    public static int Of(int textBytes)
    {
        int bytes = textBytes + Header;
        if (bytes <= FineLimit) return (bytes + 7) >> 3;
        // bytes - 1 = 1xx...: the leading bit gives the doubling, the two bits after it the step.
        int log = BitOperations.Log2((uint)bytes - 1);
        int step = (bytes - 1) >> (log - 2) & 3;
        return FineClasses + (log - 8) * StepsPerDoubling + step;
    }

    /// <summary>Bytes of a chunk of the class.</summary>
    public static int BytesOf(int sizeClass)
    {
        if (sizeClass < FineClasses) return sizeClass * 8;
        int coarse = sizeClass - FineClasses;
        return (5 + coarse % StepsPerDoubling) << (coarse / StepsPerDoubling + 6);
    }
}
