using System.Numerics;
using System.Runtime.InteropServices;

namespace Smc.Collections.Saving;

/// <summary>CRC-32C (Castagnoli) of bytes, by the processor's instruction where there is one.</summary>
/// <remarks>
/// The instruction takes three cycles and one can begin in each, so long data is read as three streams, which are put together with the tables of
/// "append so many zeros" (M. Adler's crc32c.c).
/// </remarks>
internal static class Crc32C
{
    private const uint Polynomial = 0x82F63B78;
    private const int StreamBytes = 4096;

    private static readonly uint[] s_appendStream = AppendZeros(StreamBytes);

    /// <summary>The checksum.</summary>
    public static uint Of(ReadOnlySpan<byte> data) => Append(0, data);

    /// <summary>The checksum of what comes in pieces: of bytes with this one, and the data behind them.</summary>
    public static uint Append(uint before, ReadOnlySpan<byte> data)
    {
        uint crc = ~before;
        while (data.Length >= 3 * StreamBytes)
        {
            ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(data[..(3 * StreamBytes)]);
            const int Words = StreamBytes / 8;
            ReadOnlySpan<ulong> first = words[..Words];
            ReadOnlySpan<ulong> second = words.Slice(Words, Words);
            ReadOnlySpan<ulong> third = words.Slice(2 * Words, Words);
            uint a = crc, b = 0, c = 0;
            for (int i = 0; i < Words; i++)
            {
                a = BitOperations.Crc32C(a, first[i]);
                b = BitOperations.Crc32C(b, second[i]);
                c = BitOperations.Crc32C(c, third[i]);
            }

            crc = AppendStream(AppendStream(a) ^ b) ^ c;
            data = data[(3 * StreamBytes)..];
        }

        foreach (ulong word in MemoryMarshal.Cast<byte, ulong>(data))
            crc = BitOperations.Crc32C(crc, word);
        foreach (byte last in data[(data.Length & ~7)..])
            crc = BitOperations.Crc32C(crc, last);
        return ~crc;
    }

    private static uint AppendStream(uint crc) =>
        s_appendStream[crc & 0xFF] ^ s_appendStream[256 + (crc >> 8 & 0xFF)] ^ s_appendStream[512 + (crc >> 16 & 0xFF)] ^ s_appendStream[768 + (crc >> 24)];

    // What so many zero bytes make of a checksum is linear in its bits: a matrix of 32 columns, here as a table for each byte.
    private static uint[] AppendZeros(int bytes)
    {
        uint[] columns = new uint[32];
        for (int bit = 0; bit < 32; bit++)
        {
            uint crc = 1u << bit;
            for (int i = 0; i < bytes * 8; i++)
                crc = (crc >> 1) ^ ((crc & 1) * Polynomial);
            columns[bit] = crc;
        }

        uint[] table = new uint[4 * 256];
        for (int i = 0; i < 4; i++)
        {
            for (int value = 0; value < 256; value++)
            {
                uint crc = 0;
                for (int bit = 0; bit < 8; bit++)
                    crc ^= (value >> bit & 1) == 0 ? 0 : columns[(8 * i) + bit];
                table[(256 * i) + value] = crc;
            }
        }

        return table;
    }
}
