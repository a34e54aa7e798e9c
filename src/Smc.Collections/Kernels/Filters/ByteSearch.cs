using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Finds a pattern of bytes in stored texts. Of three bytes of the pattern that are rare in texts many places are compared at once; where all three are,
/// the whole pattern is. Most texts have no such place, and are done after one step for each <see cref="Width"/> bytes.
/// </summary>
internal readonly unsafe struct ByteSearch
{
    /// <summary>Places that are compared at once.</summary>
    public const int Width = 64;

    /// <summary>Shorter patterns have no three bytes.</summary>
    public const int LeastLength = 3;

    // Measured over 1.5 million texts of 48 bytes.
    private const int TextsAhead = 24;

    private const ulong NotAscii = 0x80;

    /// <summary>Texts of a batch that tell where most of them lie.</summary>
    private const int Samples = 8;

    // No system has smaller pages: what lies in the page of a byte that may be read may be read.
    private const int PageShift = 12;

    // From rare to frequent in English; what is not among them is rarer. More than this would not change which places are looked at.
    private static ReadOnlySpan<byte> FromRareToFrequent => "zqxjkvbpygfwmucldrhsnioate "u8;

    private readonly ulong _pattern;
    private readonly int _length;
    private readonly int _first;
    private readonly int _second;
    private readonly int _third;

    /// <param name="pattern">Address of the pattern, which stays while the search is used.</param>
    /// <param name="length">Its bytes, at least <see cref="LeastLength"/>.</param>
    public ByteSearch(ulong pattern, int length)
    {
        _pattern = pattern;
        _length = length;
        Span<int> rarest = [-1, -1, -1];
        ReadOnlySpan<byte> bytes = new((byte*)pattern, length); // SAFETY: the caller's.
        for (int chosen = 0; chosen < rarest.Length; chosen++)
        {
            for (int i = 0; i < length; i++)
            {
                if (!rarest.Contains(i) && (rarest[chosen] < 0 || Frequency(bytes[i]) < Frequency(bytes[rarest[chosen]])))
                    rarest[chosen] = i;
            }
        }

        (_first, _second, _third) = (rarest[0], rarest[1], rarest[2]);
    }

    private byte* Pattern => (byte*)_pattern;

    /// <summary>Index of the first place at or after <paramref name="from"/> where the pattern is, or -1.</summary>
    /// <param name="text">The text.</param>
    /// <param name="from">Where to begin, within the text.</param>
    /// <param name="length">Bytes of the text.</param>
    /// <safety>The text may be read. Bytes behind it may be read too, in the page in which it ends, and may change meanwhile: they decide nothing.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int IndexOf(byte* text, int from, int length)
    {
        int last = length - _length;
        nuint lastPage = (nuint)(text + length - 1) >> PageShift;
        // The largest of the three places, so that one comparison says whether all three loads stay in the last page.
        int reach = Math.Max(_first, Math.Max(_second, _third)) + Width - 1;
        for (int i = from; i <= last; i += Width)
        {
            if ((nuint)(text + i + reach) >> PageShift > lastPage)
                return IndexInRest(text, i, length);
            ulong places = Places(text + i);
            int left = last - i;
            if (left < Width - 1)
                places &= (2UL << left) - 1;
            for (; places != 0; places &= places - 1)
            {
                int at = i + BitOperations.TrailingZeroCount(places);
                if (IsAt(text + at))
                    return at;
            }
        }

        return -1;
    }

    /// <summary>
    /// As <see cref="IndexOf"/> for the texts of many rows, most of which are short (<see cref="AreMostShort"/>). What takes longer to say is left out: long ones, the end of a page, a
    /// place behind the first <see cref="Width"/> or behind characters that are not ASCII, one that only looked like it, and patterns of more than eight bytes where they may be.
    /// </summary>
    /// <param name="column">The word of slot 0.</param>
    /// <param name="stride">From one slot's word to the next.</param>
    /// <param name="slots">The slots.</param>
    /// <param name="count">How many.</param>
    /// <param name="head">The pattern's first eight bytes.</param>
    /// <param name="headMask">Which of them it has.</param>
    /// <param name="found">Gets an index for each, -1 for none, or <see cref="TextPattern.NotAsked"/>.</param>
    /// <safety>The column is that of the block in which the slots are, in the critical section in which their words are read.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void FindIn(ulong column, ulong stride, uint* slots, int count, ulong head, ulong headMask, int* found)
    {
        int length = _length, first = _first, second = _second, third = _third;
        nuint reach = (nuint)Math.Max(Math.Max(first, sizeof(ulong)), Math.Max(second, third)) + Width - 1;
        Vector512<byte> firstByte = Vector512.Create(Pattern[first]), secondByte = Vector512.Create(Pattern[second]), thirdByte = Vector512.Create(Pattern[third]);
        for (int row = 0; row < count; row++)
        {
            ulong later = KernelMemory.Read<ulong>(column + (slots[Math.Min(row + TextsAhead, count - 1)] * stride));
            // A prefetch of what is no address costs more than a search.
            if (!StringWord.IsInline(later))
                KernelMemory.PrefetchNear(StringWord.ChunkAddress(later));
            ulong word = KernelMemory.Read<ulong>(column + (slots[row] * stride));
            found[row] = StringWord.IsInline(word) ? IndexInWord(word, length, head, headMask) : TextPattern.NotAsked;
            if (!StringWord.TryShort(word, out ulong address, out int bytes))
                continue;
            byte* text = (byte*)address;
            int last = bytes - length, at = 0;
            nuint lastPage = (nuint)(text + bytes - 1) >> PageShift;
            ulong places = 0;
            for (; at <= last && ((nuint)(text + at) + reach) >> PageShift <= lastPage; at += Width)
            {
                places = (Vector512.Equals(Vector512.Load(text + at + first), firstByte)
                    & Vector512.Equals(Vector512.Load(text + at + second), secondByte)
                    & Vector512.Equals(Vector512.Load(text + at + third), thirdByte)).ExtractMostSignificantBits();
                int left = last - at;
                if (left < Width - 1)
                    places &= (2UL << left) - 1;
                if (places != 0)
                    break;
            }

            if (at > last)
                found[row] = -1;
            else if (places != 0 && at == 0 && length <= sizeof(ulong))
                found[row] = IndexAt(text, BitOperations.TrailingZeroCount(places), head, headMask);
        }
    }

    /// <summary>The index in a text that is in its word, if the characters before it are ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining | MethodImplOptions.AggressiveOptimization)]
    private static int IndexInWord(ulong word, int length, ulong head, ulong headMask)
    {
        int last = StringWord.ByteLength(word) - length;
        ulong rest = StringWord.Head(word), before = 0;
        for (int place = 0; place <= last; place++, rest >>= 8)
        {
            if (((rest ^ head) & headMask) == 0)
                return (before & NotAscii) == 0 ? place : TextPattern.NotAsked;
            before |= rest & byte.MaxValue;
        }

        return -1;
    }

    /// <summary>Whether <see cref="FindIn"/> would look into most texts of a batch, as far as a few of them tell: else the pass is more work than it saves.</summary>
    /// <param name="column">The word of slot 0.</param>
    /// <param name="stride">From one slot's word to the next.</param>
    /// <param name="slots">The slots.</param>
    /// <param name="count">How many, at least one.</param>
    /// <param name="keepsShared">Whether answers for texts that rows share are kept elsewhere, so that these are not to be searched.</param>
    /// <safety>As <see cref="FindIn"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static bool AreMostShort(ulong column, ulong stride, uint* slots, int count, bool keepsShared)
    {
        int found = 0;
        for (int sample = 0; sample < Samples; sample++)
        {
            ulong word = KernelMemory.Read<ulong>(column + (slots[(int)((uint)count * (uint)sample / Samples)] * stride));
            found += StringWord.IsInline(word) || (StringWord.TryShort(word, out _, out _) && !(keepsShared && StringWord.IsInterned(word))) ? 1 : 0;
        }

        return found * 2 > Samples;
    }

    /// <summary>The index of a place among the first <see cref="Width"/>, if the pattern is there and the characters before it are ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int IndexAt(byte* text, int place, ulong head, ulong headMask)
    {
        bool isThere = ((KernelMemory.Read<ulong>((ulong)(text + place)) ^ head) & headMask) == 0;
        bool isAscii = (Vector512.Load(text).ExtractMostSignificantBits() & ((1UL << place) - 1)) == 0;
        return isThere & isAscii ? place : TextPattern.NotAsked;
    }

    /// <summary>A bit for each of <see cref="Width"/> places at which the three bytes are.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ulong Places(byte* at)
    {
        if (Vector512.IsHardwareAccelerated)
        {
            return (Vector512.Equals(Vector512.Load(at + _first), Vector512.Create(Pattern[_first]))
                & Vector512.Equals(Vector512.Load(at + _second), Vector512.Create(Pattern[_second]))
                & Vector512.Equals(Vector512.Load(at + _third), Vector512.Create(Pattern[_third]))).ExtractMostSignificantBits();
        }

        return Half(at) | ((ulong)Half(at + Vector256<byte>.Count) << Vector256<byte>.Count);
    }

    // In steps that every processor has.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private uint Half(byte* at) => (Vector256.Equals(Vector256.Load(at + _first), Vector256.Create(Pattern[_first]))
        & Vector256.Equals(Vector256.Load(at + _second), Vector256.Create(Pattern[_second]))
        & Vector256.Equals(Vector256.Load(at + _third), Vector256.Create(Pattern[_third]))).ExtractMostSignificantBits();

    private bool IsAt(byte* at) => new ReadOnlySpan<byte>(at, _length).SequenceEqual(new ReadOnlySpan<byte>(Pattern, _length));

    // The end of a page is near, and the next one may not be mapped.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int IndexInRest(byte* text, int from, int length)
    {
        int index = new ReadOnlySpan<byte>(text + from, length - from).IndexOf(new ReadOnlySpan<byte>(Pattern, _length));
        return index < 0 ? -1 : from + index;
    }

    private static int Frequency(byte value) => FromRareToFrequent.IndexOf(value);
}
