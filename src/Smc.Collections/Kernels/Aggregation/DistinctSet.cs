using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Words that the groups of a query have counted, each with the number of its group: a set of pairs in the query's region. As long as the words are not far from each other (small numbers, dates, references to rows of one
/// collection), a pair takes 8 bytes; the first one that does not fit makes it 16 for all. The set is often larger than the caches near the processor, so half the size is nearly twice the speed.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct DistinctSet
{
    private PairTable<NarrowPair> _narrow;
    private PairTable<WidePair> _wide;
    private ulong _least;
    private bool _isWide;

    /// <summary>Places for pairs, in no order; see <see cref="TryGet"/>.</summary>
    public readonly long Places => _isWide ? _wide.Places : _narrow.Places;

    /// <summary>Adds a pair.</summary>
    /// <param name="group">The number of the group; not negative.</param>
    /// <param name="word">The word.</param>
    /// <param name="region">The query's region.</param>
    /// <returns>False if it is there.</returns>
    /// <exception cref="OffHeapMemoryException">There is no memory for it.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Add(int group, ulong word, ref Region region)
    {
        if (!_isWide)
        {
            // The first word is in the middle of those that fit.
            if (_narrow.Places == 0)
                _least = NarrowPair.LeastAround(word);
            if (NarrowPair.Fits(group, word, _least))
                return _narrow.Add(new NarrowPair(group, unchecked(word - _least)), ref region);
            Widen(ref region);
        }

        return _wide.Add(new WidePair { Word = word, Number = group + 1 }, ref region);
    }

    /// <summary>Asks for the memory where a pair is, or would be added: for many pairs in no order, some pairs ahead.</summary>
    /// <param name="group">The number of the group.</param>
    /// <param name="word">The word.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly void Ask(int group, ulong word)
    {
        if (_isWide)
            _wide.Ask(new WidePair { Word = word, Number = group + 1 });
        else
            _narrow.Ask(new NarrowPair(group, unchecked(word - _least) & (NarrowPair.Words - 1)));
    }

    /// <summary>The pair at a place, if there is one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool TryGet(long place, out int group, out ulong word)
    {
        if (place >= Places)
        {
            (group, word) = (-1, 0);
        }
        else if (_isWide)
        {
            WidePair wide = _wide[place];
            (group, word) = (wide.Number - 1, wide.Word);
        }
        else
        {
            NarrowPair narrow = _narrow[place];
            (group, word) = (narrow.Group, unchecked(_least + narrow.Distance));
        }

        return group >= 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Widen(ref Region region)
    {
        for (long place = 0; place < Places; place++)
        {
            if (TryGet(place, out int group, out ulong word))
                _wide.Add(new WidePair { Word = word, Number = group + 1 }, ref region);
        }

        _isWide = true;
    }

    private struct WidePair : IPair<WidePair>
    {
        public ulong Word;

        /// <summary>The number of the group + 1; 0 where there is no pair.</summary>
        public int Number;

        public readonly bool IsNone => Number == 0;

        public readonly ulong Hash => KeyWords.Hash(KeyWords.Hash(0, (uint)Number), Word);

        public static bool AreEqual(in WidePair left, in WidePair right) => left.Word == right.Word && left.Number == right.Number;
    }
}
