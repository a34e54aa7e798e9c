using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>In which order a scan asks its filters: the one that keeps the smallest share of its rows first, as seen in the batches so far.</summary>
/// <remarks>Where a filter looks rows or keys up counts little beside that: what it reads of the rows costs more, most of all where few are left and each is in a line of memory of its own.</remarks>
/// <param name="filters">The number of filters, at most <see cref="MostFilters"/>.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct FilterOrder(int filters)
{
    /// <summary>More filters than this have a fixed order.</summary>
    public const int MostFilters = 8;

    /// <summary>Older rows count half after so many, so that the order follows data that changes along the scan.</summary>
    private const long Recent = 1 << 17;

    private readonly int _filters = filters;
    private Turns _turns = Turns.InOrder();

    /// <summary>Whether the filters stay where the query has them.</summary>
    public bool IsFixed { get; private set; }

    /// <summary>The filter whose turn it is.</summary>
    public readonly int this[int position] => _turns[position].Filter;

    /// <summary>Leaves the filters where the query has them if one of them may find rows without an answer: those before it may be there to keep such rows from it.</summary>
    public void FixUnless(bool hasAllAnswers) => IsFixed |= !hasAllAnswers;

    /// <summary>Takes note of what a filter kept.</summary>
    /// <param name="position">Its turn.</param>
    /// <param name="asked">The rows that it was asked for.</param>
    /// <param name="kept">The rows that it kept.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Note(int position, int asked, int kept)
    {
        ref Turn turn = ref _turns[position];
        if (turn.Asked > Recent)
            (turn.Asked, turn.Kept) = (turn.Asked / 2, turn.Kept / 2);
        turn.Asked += asked;
        turn.Kept += kept;
    }

    /// <summary>Brings the filters into order, after a batch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Sort()
    {
        for (int i = IsFixed ? _filters : 1; i < _filters; i++)
        {
            for (int j = i; j > 0 && _turns[j].Share < _turns[j - 1].Share; j--)
                (_turns[j - 1], _turns[j]) = (_turns[j], _turns[j - 1]);
        }
    }

    private struct Turn
    {
        public int Filter;
        public long Asked;
        public long Kept;

        public readonly double Share => Asked == 0 ? 1 : (double)Kept / Asked;
    }

    [InlineArray(MostFilters)]
    private struct Turns
    {
        private Turn _first;

        public static Turns InOrder()
        {
            Turns turns = default;
            for (int i = 0; i < MostFilters; i++)
                turns[i].Filter = i;
            return turns;
        }
    }
}
