using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>Hashes of 40 bits, with a seed of the process: who chooses keys cannot choose their hashes.</summary>
internal static class KeyHash
{
    private const int Bits = 40;
    private const ulong Mask = (1UL << Bits) - 1;
    private static readonly ulong s_seed = Random();
    private static readonly ulong s_first = Random();
    private static readonly ulong s_second = Random();

    /// <summary>Whether <see cref="OfNarrow"/> may hash an integer: it lies within ±2^39.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsNarrow(ulong value) => value + (1UL << (Bits - 1)) <= Mask;

    /// <summary>A hash that no other narrow value has: each step can be undone.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong OfNarrow(ulong value)
    {
        ulong hash = (value ^ s_seed) * 0x9E3779B97F4A7C15 & Mask;
        hash = (hash ^ (hash >> 20)) * 0xD6E8FEB86659FD93 & Mask;
        return hash ^ (hash >> 20);
    }

    /// <summary>Adds a value to the hash of those before it; <see cref="Finish"/> ends it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Add(ulong hash, ulong low, ulong high)
    {
        ulong upper = Math.BigMul(low ^ s_first, high ^ s_second ^ hash, out ulong lower);
        return upper ^ lower;
    }

    /// <summary>Adds a text.</summary>
    /// <safety>The text is live.</safety>
    public static ulong AddText(ulong hash, ulong word)
    {
        ReadOnlySpan<byte> text = StringWord.Bytes(ref word);
        hash = Add(hash, (ulong)text.Length, 0);
        for (; text.Length >= 16; text = text[16..])
            hash = Add(hash, BinaryPrimitives.ReadUInt64LittleEndian(text), BinaryPrimitives.ReadUInt64LittleEndian(text[8..]));
        if (text.IsEmpty)
            return hash;
        Span<byte> rest = stackalloc byte[16];
        rest.Clear();
        text.CopyTo(rest);
        return Add(hash, BinaryPrimitives.ReadUInt64LittleEndian(rest), BinaryPrimitives.ReadUInt64LittleEndian(rest[8..]));
    }

    /// <summary>The hash of all values that were added.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Finish(ulong hash) => Add(hash, s_seed, 0) >> (64 - Bits);

    private static ulong Random() => BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8));
}
