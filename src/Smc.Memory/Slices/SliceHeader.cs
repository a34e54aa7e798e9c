using System.Runtime.CompilerServices;

namespace Smc.Memory.Slices;

/// <summary>
/// The first 8 bytes of a slice: who is inside, whether it is deleted, and which tenant it has. Reading them is how a pointer is validated;
/// changing them by compare-and-swap is how a thread announces itself, so both are one step.
/// </summary>
/// <remarks>
/// <code>[ writes so far 30 | version 24 | readers inside 8 | writer inside 1 | deleted 1 ]</code>
/// The count of writes is at the top, because it is added to: when it overflows, the carry leaves the word instead of reaching the version.
/// The states of docs/models/slices.pml:
/// <code>
/// never used   0
/// free         version of the next tenant, deleted
/// private      version, deleted, writer: as if its owner were still inside a deleted slice
/// published    version, and whoever is inside
/// deleted      version, deleted, and whoever is still inside; the last one out releases the slice
/// </code>
/// </remarks>
internal static class SliceHeader
{
    public const int SizeInBytes = 8;

    /// <summary>Most readers inside at one time; further ones wait.</summary>
    public const int MaxReaders = (1 << ReaderBits) - 1;

    private const ulong Deleted = 1;
    private const ulong Writer = 2;
    private const int ReaderShift = 2;
    private const int ReaderBits = 8;
    private const ulong OneReader = 1UL << ReaderShift;
    private const ulong Readers = (ulong)MaxReaders << ReaderShift;
    private const int VersionShift = ReaderShift + ReaderBits;
    private const ulong OneWrite = 1UL << (VersionShift + SafePtr.VersionBits);

    /// <summary>The word of a slice that nobody has, with the version of its next tenant.</summary>
    public static ulong Free(uint version) => (ulong)version << VersionShift | Deleted;

    /// <summary>The word of a slice whose owner has not published it yet.</summary>
    public static ulong Private(uint version) => (ulong)version << VersionShift | Deleted | Writer;

    /// <summary>The word of a slice that was just published.</summary>
    public static ulong Published(uint version) => (ulong)version << VersionShift;

    public static uint VersionOf(ulong word) => (uint)(word >> VersionShift) & SafePtr.MaxVersion;

    /// <summary>True if the pointer with this version is to the slice's tenant, and that is not deleted.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsAlive(ulong word, uint version) => IsTenant(word, version) && (word & Deleted) == 0;

    public static bool IsTenant(ulong word, uint version)
    {
        return VersionOf(word) == version;
    }

    public static bool IsDeleted(ulong word) => (word & Deleted) != 0;

    public static bool HasWriter(ulong word) => (word & Writer) != 0;

    public static int ReadersOf(ulong word) => (int)((word & Readers) >> ReaderShift);

    /// <summary>True if a writer or a reader is inside.</summary>
    public static bool IsOccupied(ulong word) => (word & (Writer | Readers)) != 0;

    /// <summary>True if what was read between two looks at the word is whole and of a tenant that was alive: only readers came or went.</summary>
    public static bool IsUnchanged(ulong before, ulong after) => ((before ^ after) & ~Readers) == 0;

    /// <summary>Lets a writer in, if the word is still <paramref name="word"/>. Full fence: the writer's stores come after.</summary>
    public static bool TryEnterWriter(ref ulong header, ulong word)
    {
        return Interlocked.CompareExchange(ref header, word | Writer, word) == word;
    }

    /// <summary>Takes the writer out and counts its write. Full fence: its stores come before.</summary>
    /// <param name="header">The slice's header.</param>
    /// <param name="before">The word as it was before the writer came.</param>
    /// <returns>The word after it.</returns>
    public static ulong LeaveWriter(ref ulong header, ulong before)
    {
        return Interlocked.Add(ref header, unchecked(OneWrite - Writer));
    }

    /// <summary>Lets one more reader in, if the word is still <paramref name="word"/>.</summary>
    public static bool TryEnterReader(ref ulong header, ulong word)
    {
        ulong entered = word + OneReader;
        return Interlocked.CompareExchange(ref header, entered, word) == word;
    }

    /// <summary>Takes a reader out.</summary>
    /// <returns>The word after it.</returns>
    public static ulong LeaveReader(ref ulong header)
    {
        return Interlocked.Add(ref header, unchecked(0UL - OneReader));
    }

    /// <summary>Marks the slice as deleted, if the word is still <paramref name="word"/>. From here on nobody gets in.</summary>
    public static bool TryDelete(ref ulong header, ulong word) => Interlocked.CompareExchange(ref header, word | Deleted, word) == word;
}
