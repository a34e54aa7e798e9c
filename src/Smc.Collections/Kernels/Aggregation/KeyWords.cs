using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Grouping keys as 64-bit words that are equal exactly when C# calls the keys equal, and their hash.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class KeyWords
{
    private const ulong NaN = 0x7FF8000000000000UL;

    /// <summary>Multiplicative hash: the upper bits of the result depend on all bits of the word, so a table takes its place from them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Spread(ulong word) => word * 0x9E3779B97F4A7C15UL;

    /// <summary>Adds a word to a hash; its upper half is the better one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Hash(ulong hash, ulong word)
    {
        ulong mixed = Spread(hash ^ word);
        return mixed ^ (mixed >> 32) ^ (mixed << 29);
    }

    /// <summary>The hash of a string by its content.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static ulong HashText(ulong word)
    {
        if (word == 0 || StringWord.IsInline(word))
            return word;
        // More than seven bytes: shorter texts are inline.
        ReadOnlySpan<byte> text = StringWord.Bytes(in word);
        ulong hash = (ulong)text.Length, last = MemoryMarshal.Read<ulong>(text[^sizeof(ulong)..]);
        for (; text.Length > sizeof(ulong); text = text[sizeof(ulong)..])
            hash = Hash(hash, MemoryMarshal.Read<ulong>(text));
        return Hash(hash, last);
    }

    /// <summary>The hash of a string of one column: by its word where interned words of the column are exact, else by its content.</summary>
    /// <param name="word">The string.</param>
    /// <param name="hasExactWords">What <see cref="StringHeap.HasExactWords"/> said in this critical section.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong HashText(ulong word, bool hasExactWords) => hasExactWords && StringWord.IsInterned(word) ? word : HashText(word);

    /// <summary>The word of <c>text ?? other</c>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong OrElse(ulong word, ulong other) => word != 0 ? word : other;

    /// <summary>A string as a word in a region, comparable with stored ones.</summary>
    public static ulong OfText(string? text, ref Region region) => text is null ? 0 : StringWord.EncodeInto(text, ref region);

    /// <summary>A word whose text stays in a region: short texts are in the word, others are copied.</summary>
    public static ulong Keep(ulong word, ref Region region) => StringWord.CopyInto(word, ref region);

    /// <summary>A floating-point number: both zeros are equal, and so are all NaNs.</summary>
    public static ulong OfDouble(double value) => value == 0 ? 0 : double.IsNaN(value) ? NaN : BitConverter.DoubleToUInt64Bits(value);

    /// <summary>A decimal without its trailing zeros, in two words.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static ulong OfDecimal(decimal value, int word) => Word(value == 0 ? 0 : Shortest(value), word);

    /// <summary>The bytes of a value of up to 16 bytes, in two words.</summary>
    public static unsafe ulong Word<T>(T value, int word)
        where T : unmanaged
    {
        UInt128 words = 0;
        // SAFETY: values are at most as large as the buffer.
        Unsafe.WriteUnaligned(&words, value);
        return word == 0 ? (ulong)words : (ulong)(words >> 64);
    }

    /// <summary>The value without trailing zeros behind the point.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static decimal Shortest(decimal value)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        // Dividing by one with all digits removes them, too, but takes twenty times as long.
        if (parts[2] != 0)
            return value / 1.0000000000000000000000000000m;
        ulong digits = ((ulong)(uint)parts[1] << 32) | (uint)parts[0];
        byte scale = value.Scale;
        for (; scale > 0 && digits % 10 == 0; scale--)
            digits /= 10;
        return new decimal(unchecked((int)digits), unchecked((int)(digits >> 32)), 0, decimal.IsNegative(value), scale);
    }
}
