using System.Numerics;

namespace Smc.Memory.Slices;

/// <summary>
/// Sizes of slices: multiples of 16 bytes up to 2 KiB, then eight steps for every doubling up to 1 MiB. Larger slices have a block of their own.
/// </summary>
/// <remarks><code>[ header 8 | length 4 | bytes of the user ]</code></remarks>
internal static class SliceSize
{
    /// <summary>Bytes before those of the user: the header and the length.</summary>
    public const int Overhead = SliceHeader.SizeInBytes + sizeof(int);

    public const int Largest = 1 << 20;
    public const int Classes = FineClasses + CoarseClasses;
    private const int FineLimit = 2048;
    private const int FineLimitLog = 11;
    private const int FineClasses = FineLimit / 16;
    private const int StepBits = 3;
    private const int CoarseClasses = 9 << StepBits;

    /// <summary>True if a slice of so many bytes has a block of its own.</summary>
    public static bool IsLarge(int length) => length > Largest - Overhead;

    /// <summary>The class of a slice that is not large.</summary>
    public static int ClassOf(int length)
    {
        int bytes = length + Overhead;
        if (bytes <= FineLimit) return (bytes + 15) / 16 - 1;
        // bytes - 1 = 1xxx...: the leading bit gives the doubling, the three bits after it the step.
        int log = BitOperations.Log2((uint)bytes - 1);
        int step = (bytes - 1) >> (log - StepBits) & ((1 << StepBits) - 1);
        return FineClasses + ((log - FineLimitLog) << StepBits) + step;
    }

    /// <summary>Bytes of a slice of the class, a multiple of 16.</summary>
    public static int BytesOf(int sizeClass)
    {
        if (sizeClass < FineClasses) return (sizeClass + 1) * 16;
        int coarse = sizeClass - FineClasses;
        return ((1 << StepBits) + 1 + (coarse & ((1 << StepBits) - 1))) << ((coarse >> StepBits) + FineLimitLog - StepBits);
    }
}
