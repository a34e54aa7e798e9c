using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>
/// In which order a scan asks its filters: the one that keeps the smallest share of its rows first, as seen in the batches so far. The very first may look up a whole column, and what that takes
/// differs more than what a selected row takes: it is the one for which that and the rows that it leaves take least.
/// </summary>
/// <remarks>For selected rows, where a filter looks them up counts little: what it reads of the rows costs more, most of all where few are left and each is in a line of memory of its own.</remarks>
/// <param name="filters">The number of filters, at most <see cref="MostFilters"/>.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct FilterOrder(int filters)
{
    /// <summary>More filters than this have a fixed order.</summary>
    public const int MostFilters = 8;

    /// <summary>Older rows count half after so many, so that the order follows data that changes along the scan.</summary>
    private const long Recent = 1 << 17;

    /// <summary>What a selected row takes, until the next filter has looked at it: picoseconds.</summary>
    internal const int CostOfSelected = 4000;

    private readonly int _filters = filters;
    private Turns _turns = Turns.InOrder();

    /// <summary>Whether the filters stay where the query has them.</summary>
    public bool IsFixed { get; private set; }

    /// <summary>The filter whose turn it is.</summary>
    public readonly int this[int position] => _turns[position].Filter;

    /// <summary>Leaves the filters where the query has them if one of them may find rows without an answer: those before it may be there to keep such rows from it.</summary>
    public void FixUnless(bool hasAllAnswers) => IsFixed |= !hasAllAnswers;

    /// <summary>Says what it takes each filter to look a whole column up.</summary>
    /// <param name="costs">Picoseconds for each row, for each filter in the order of the query.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Weigh(ReadOnlySpan<int> costs)
    {
        for (int i = 0; i < _filters; i++)
            _turns[i].Cost = costs[_turns[i].Filter];
    }

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
        if (IsFixed)
            return;
        int first = 0;
        for (int i = 1; i < _filters; i++)
        {
            for (int j = i; j > 0 && _turns[j].Share < _turns[j - 1].Share; j--)
                (_turns[j - 1], _turns[j]) = (_turns[j], _turns[j - 1]);
        }

        for (int i = 1; i < _filters; i++)
        {
            if (_turns[i].CostAsFirst < _turns[first].CostAsFirst)
                first = i;
        }

        for (; first > 0; first--)
            (_turns[first - 1], _turns[first]) = (_turns[first], _turns[first - 1]);
    }

    private struct Turn
    {
        public int Filter;
        public int Cost;
        public long Asked;
        public long Kept;

        public readonly double Share => Asked == 0 ? 1 : (double)Kept / Asked;

        public readonly double CostAsFirst => Cost + (Share * CostOfSelected);
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
