namespace Smc.Memory.OrderedChunks;

/// <summary>What all chunks of a table have in common: how many cells, and where their parts are.</summary>
/// <remarks>
/// A chunk is one slice of 64 KiB. A cell has four parts, each in an array of its own, so that a binary search touches prefixes only:
/// <code>
/// sample[capacity/64] the prefix of every 64th sorted cell, see SortedPrefixes
/// prefix[capacity]    8 bytes of the key, big-endian, behind the bytes that all keys of the chunk begin with
/// key[capacity]       8 bytes: the last ones of a key of fixed length up to 16, big-endian, or a ChunkKey; not there if the prefix is the whole key
/// value[capacity]     8 bytes, the caller's; 0: the key is not in the table
/// link[capacity + 1]  2 bytes: the next cell in the chain, or End; link[0] is of the chain before the first sorted cell, link[c + 1] of cell c
/// </code>
/// </remarks>
internal sealed class ChunkLayout
{
    /// <summary>The link of the last cell in a chain.</summary>
    public const ushort End = ushort.MaxValue;

    /// <summary>Bytes of the longest key that needs no slice: a prefix and the word beside it.</summary>
    public const int TwoWords = 2 * ChunkPrefix.Bytes;

    private const int ChunkBytes = 64 * 1024;
    private const int LineBytes = 64;

    // A slice's bytes begin 12 bytes behind a multiple of 16; words need multiples of 8.
    private const int Alignment = sizeof(int);

    /// <param name="keyLength">Bytes of every key, or null if they vary.</param>
    /// <param name="capacity">Cells of a chunk; as many as a chunk has room for if null.</param>
    public ChunkLayout(int? keyLength, int? capacity)
    {
        KeyLength = keyLength ?? 0;
        IsPrefixWhole = keyLength <= ChunkPrefix.Bytes;
        HasKeySlices = keyLength is null or > TwoWords;
        MostSkipped = HasKeySlices ? int.MaxValue : Math.Max(0, KeyLength - ChunkPrefix.Bytes);
        int words = IsPrefixWhole ? 2 : 3;
        int groupBytes = SortedPrefixes.GroupSize * (words * sizeof(ulong) + sizeof(ushort)) + sizeof(ulong);
        Capacity = capacity ?? (ChunkBytes - Slices.SliceSize.Overhead - Alignment - 2 * LineBytes) * SortedPrefixes.GroupSize / groupBytes;
        PrefixesAt = LineAfter(SamplesAt + SortedPrefixes.SamplesOf(Capacity) * sizeof(ulong));
        KeysAt = PrefixesAt + Capacity * sizeof(ulong);
        ValuesAt = IsPrefixWhole ? KeysAt : KeysAt + Capacity * sizeof(ulong);
        LinksAt = ValuesAt + Capacity * sizeof(ulong);
        Length = LinksAt + (Capacity + 1) * sizeof(ushort);
    }

    /// <summary>Bytes of every key unless <see cref="HasKeySlices"/>.</summary>
    public int KeyLength { get; }

    /// <summary>True if keys are equal when their prefixes are.</summary>
    public bool IsPrefixWhole { get; }

    /// <summary>True if each key has a slice (<see cref="ChunkKey"/>): keys of any length, and those that two words have no room for.</summary>
    public bool HasKeySlices { get; }

    /// <summary>Bytes at the beginning of keys that prefixes may leave out: 8 follow.</summary>
    public int MostSkipped { get; }

    public int Capacity { get; }

    /// <summary>Bytes that a chunk asks of the heap.</summary>
    public int Length { get; }

    public static int SamplesAt => Alignment;

    /// <summary>A group of prefixes begins with a line, as chunks do.</summary>
    public int PrefixesAt { get; }

    public int KeysAt { get; }

    public int ValuesAt { get; }

    public int LinksAt { get; }

    // The next place that is a multiple of a line behind the beginning of the slice.
    private static int LineAfter(int place) => (place + Slices.SliceSize.Overhead + LineBytes - 1) / LineBytes * LineBytes - Slices.SliceSize.Overhead;

    /// <summary>Chained cells, and dead ones, that a chunk may always have, and cells in one chain at most.</summary>
    public int Slack => Math.Max(2, Capacity / 32);
}
