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
