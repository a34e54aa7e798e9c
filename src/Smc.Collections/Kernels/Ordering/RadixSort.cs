using System.Numerics;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>Sorts words by some of their bits: eight at a time, from the lowest on. Each pass is stable, and compares nothing.</summary>
internal static unsafe class RadixSort
{
    private const int DigitBits = 8;
    private const int Digits = 1 << DigitBits;

    /// <summary>Sorts words. O(words) for each eight bits.</summary>
    /// <param name="words">Where they are.</param>
    /// <param name="spare">Memory for as many.</param>
    /// <param name="count">How many.</param>
    /// <param name="bits">The bits by which they are sorted.</param>
    /// <returns>Where they are then: one of the two memories.</returns>
    /// <safety>Both memories hold so many words, and nobody else has them.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static ulong Sort(ulong words, ulong spare, int count, ulong bits)
    {
        int* ends = stackalloc int[Digits], nextEnds = stackalloc int[Digits];
        if (bits != 0)
            CountDigits((ulong*)words, count, NextDigit(bits), ends);
        while (bits != 0)
        {
            ulong digit = NextDigit(bits);
            bits ^= digit;
            ulong next = NextDigit(bits);
            // Where the words of each digit begin; when they are moved, where the next one goes.
            for (int i = 0, before = 0; i < Digits; i++)
                (ends[i], before) = (before, before + ends[i]);
            if (next == 0)
                Move((ulong*)words, (ulong*)spare, count, digit, ends);
            else
                MoveAndCount((ulong*)words, (ulong*)spare, count, digit, ends, next, nextEnds);
            (words, spare) = (spare, words);
            int* moved = ends;
            ends = nextEnds;
            nextEnds = moved;
        }

        return words;
    }

    /// <summary>The lowest of the bits, with the next seven places.</summary>
    private static ulong NextDigit(ulong bits) => bits & ((ulong)(Digits - 1) << BitOperations.TrailingZeroCount(bits));

    /// <safety>Here and below: as <see cref="Sort"/>; there are places for all digits.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void CountDigits(ulong* words, int count, ulong digit, int* counts)
    {
        new Span<int>(counts, Digits).Clear();
        int shift = BitOperations.TrailingZeroCount(digit);
        for (nint i = 0; i < count; i++)
            counts[(words[i] & digit) >> shift]++;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void Move(ulong* source, ulong* target, int count, ulong digit, int* ends)
    {
        int shift = BitOperations.TrailingZeroCount(digit);
        for (nint i = 0; i < count; i++)
            target[ends[(source[i] & digit) >> shift]++] = source[i];
    }

    /// <summary>Moves the words by a digit, and counts those of the next, so that no pass reads them for that alone.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void MoveAndCount(ulong* source, ulong* target, int count, ulong digit, int* ends, ulong next, int* counts)
    {
        new Span<int>(counts, Digits).Clear();
        int shift = BitOperations.TrailingZeroCount(digit), nextShift = BitOperations.TrailingZeroCount(next);
        for (nint i = 0; i < count; i++)
        {
            ulong word = source[i];
            target[ends[(word & digit) >> shift]++] = word;
            counts[(word & next) >> nextShift]++;
        }
    }
}
