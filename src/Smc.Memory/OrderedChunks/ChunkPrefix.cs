using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Smc.Memory.OrderedChunks;

/// <summary>The first 8 bytes of a key as a number: where prefixes differ, keys are in their order.</summary>
internal static class ChunkPrefix
{
    public const int Bytes = sizeof(ulong);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Of(ReadOnlySpan<byte> key) => key.Length >= Bytes ? BinaryPrimitives.ReadUInt64BigEndian(key) : OfShort(key);

    /// <summary>The last 8 bytes of a key of some length, more than 8, as a number: where prefixes are the same, these are in the order of the keys.</summary>
    /// <param name="key">The key, or one that is shorter or longer: as if zeros followed, or without what follows.</param>
    /// <param name="length">The length.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Rest(ReadOnlySpan<byte> key, int length) =>
        key.Length >= length ? BinaryPrimitives.ReadUInt64BigEndian(key[(length - Bytes)..]) : OfShort(key[Math.Min(length - Bytes, key.Length)..]);

    // As if zeros followed.
    private static ulong OfShort(ReadOnlySpan<byte> key)
    {
        ulong prefix = 0;
        for (int i = 0; i < key.Length; i++) prefix |= (ulong)key[i] << (8 * (Bytes - 1 - i));
        return prefix;
    }
}
