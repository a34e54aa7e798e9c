using System.Numerics;

namespace Smc.Memory.Strings;

/// <summary>
/// Sizes of string chunks: multiples of 4 up to 256 bytes, then four steps for every doubling up to 64 KiB. Longer chunks are mapped singly.
/// The class follows from the length of the text, which the word of a short text knows: only the chunk of a long one begins with it.
/// </summary>
internal static class SizeClass
{
    /// <summary>Bytes before a long text: its length.</summary>
    public const int Header = 4;

    /// <summary>Bytes of the longest text whose word knows its length.</summary>
    public const int LongestShort = 254;

    /// <summary>Chunks begin at multiples of this.</summary>
    public const int Alignment = 4;

    /// <summary>The smallest chunk; a free one holds a link. Texts in chunks have at least as many bytes.</summary>
    public const int Smallest = 8;

    public const int Largest = 64 * 1024;
    public const int Count = FineClasses + CoarseClasses;
    private const int FineLimit = 256;
    private const int FineClasses = FineLimit / Alignment + 1;
    private const int StepsPerDoubling = 4;
    private const int CoarseClasses = 8 * StepsPerDoubling;

    /// <summary>Bytes before a text of so many bytes.</summary>
    public static int HeaderOf(int textBytes) => textBytes > LongestShort ? Header : 0;

    /// <summary>True if a text of so many bytes gets a mapping of its own.</summary>
    public static bool IsLarge(int textBytes) => textBytes > Largest - Header;

    /// <summary>The class of the chunk for a text that is not large.</summary>
    public static int Of(int textBytes)
    {
        int bytes = textBytes + HeaderOf(textBytes);
        if (bytes <= FineLimit) return (bytes + Alignment - 1) / Alignment;
        // bytes - 1 = 1xx...: the leading bit gives the doubling, the two bits after it the step.
        int log = BitOperations.Log2((uint)bytes - 1);
        int step = (bytes - 1) >> (log - 2) & 3;
        return FineClasses + (log - 8) * StepsPerDoubling + step;
    }

    /// <summary>Bytes of a chunk of the class.</summary>
    public static int BytesOf(int sizeClass)
    {
        if (sizeClass < FineClasses) return sizeClass * Alignment;
        int coarse = sizeClass - FineClasses;
        return (5 + coarse % StepsPerDoubling) << (coarse / StepsPerDoubling + 6);
    }
}
