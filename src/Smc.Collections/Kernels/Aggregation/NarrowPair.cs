using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>A group and one of its words, in 8 bytes: the number of the group + 1 above, how far the word is from the least one below. All bits zero: no pair.</summary>
/// <param name="group">The number of the group; less than <see cref="Groups"/>.</param>
/// <param name="distance">How far the word is from the least one; less than <see cref="Words"/>.</param>
internal readonly struct NarrowPair(int group, ulong distance) : IPair<NarrowPair>
{
    /// <summary>So many words fit, from the least one on.</summary>
    public const ulong Words = 1UL << WordBits;

    /// <summary>So many groups fit.</summary>
    public const int Groups = (1 << (64 - WordBits)) - 1;

    private const int WordBits = 40;

    private readonly ulong _bits = ((ulong)(group + 1) << WordBits) | distance;

    /// <summary>The number of the group.</summary>
    public int Group => (int)(_bits >> WordBits) - 1;

    public bool IsNone => _bits == 0;

    public ulong Hash => KeyWords.Hash(0, _bits);

    public static bool AreEqual(in NarrowPair left, in NarrowPair right) => left._bits == right._bits;

    /// <summary>The least word, if one is to lie in the middle of those that fit.</summary>
    public static ulong LeastAround(ulong word) => unchecked(word - (Words >> 1));

    /// <summary>Whether a pair fits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Fits(int group, ulong word, ulong least) => unchecked(word - least) < Words && group < Groups;

    /// <summary>How far the word is from the least one.</summary>
    public ulong Distance => _bits & (Words - 1);
}
