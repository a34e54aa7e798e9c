using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The strings that rows are sorted by; rows refer to them by number. They compare as a comparer has it, mostly <see cref="Comparer{T}.Default"/>, which is slow: when many rows share few texts,
/// the texts are sorted once and rows compare by their ranks.
/// </summary>
/// <param name="comparers">The comparers of the order's keys, each once; null stands for the default one, and so does none.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class SortTexts(params IComparer<string?>?[] comparers)
{
    private const int RecentBits = 8;

    private readonly IComparer<string?>[] _comparers = [.. comparers.DefaultIfEmpty().Select(comparer => comparer ?? Comparer<string?>.Default)];
    private readonly List<string?> _texts = [];
    private readonly Dictionary<ulong, int> _numbers = [];

    // Words that were added lately. None is 0, which would be null.
    private readonly (ulong Word, int Number)[] _recent = new (ulong, int)[1 << RecentBits];
    private int[][]? _ranks;
    private int _uses;

    /// <summary>Values other than texts by which rows are sorted, too: <see cref="SortValues{T}"/> of each key with a comparer of its own.</summary>
    public object[] Values { get; init; } = [];

    /// <summary>Adds a text and returns its number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Add(string? text)
    {
        _uses++;
        _texts.Add(text);
        return _texts.Count - 1;
    }

    /// <summary>Adds a stored text and returns its number; a word that came before has the number that it had.</summary>
    /// <safety>The word is live, and stays so until the rows are sorted.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Add(ulong word)
    {
        if (!StringWord.IsInterned(word) && !StringWord.IsInline(word))
            return Add(StringWord.Decode(word));
        _uses++;
        ref (ulong Word, int Number) recent = ref _recent[KeyWords.Spread(word) >> (64 - RecentBits)];
        if (recent.Word != word)
            recent = (word, NumberOf(word));
        return recent.Number;
    }

    /// <summary>Adds the texts of a part of a scan; what is added to the numbers that its rows have is returned.</summary>
    public int AddAll(SortTexts part)
    {
        int first = _texts.Count;
        _texts.AddRange(part._texts);
        _uses += part._uses;
        return first;
    }

    /// <summary>Prepares comparisons, after the last text. Ranks that were made stay.</summary>
    public void Rank() => _ranks ??= _texts.Count > _uses / 4 ? null : [.. _comparers.Select(Ranks)];

    /// <summary>Whether texts have ranks: many rows share few of them.</summary>
    internal bool HasRanks => _ranks is not null;

    /// <summary>The rank of a text by its number, as one of the comparers has it, if texts have ranks.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int RankOf(int text, int comparer = 0) => _ranks![comparer][text];

    /// <summary>Compares two texts by their numbers, as one of the comparers has it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Compare(int left, int right, int comparer = 0) => _ranks is { } ranks
        ? ranks[comparer][left].CompareTo(ranks[comparer][right])
        : CompareTexts(left, right, comparer);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int CompareTexts(int left, int right, int comparer) => left == right ? 0 : _comparers[comparer].Compare(_texts[left], _texts[right]);

    private int NumberOf(ulong word)
    {
        ref int number = ref CollectionsMarshal.GetValueRefOrAddDefault(_numbers, word, out bool isKnown);
        if (isKnown)
            return number;
        number = _texts.Count;
        _texts.Add(StringWord.Decode(word));
        return number;
    }

    private int[] Ranks(IComparer<string?> comparer)
    {
        int[] order = [.. Enumerable.Range(0, _texts.Count)];
        Array.Sort(order, (left, right) => comparer.Compare(_texts[left], _texts[right]));
        int[] ranks = new int[order.Length];
        for (int i = 1; i < order.Length; i++)
            ranks[order[i]] = ranks[order[i - 1]] + (comparer.Compare(_texts[order[i - 1]], _texts[order[i]]) == 0 ? 0 : 1);
        return ranks;
    }
}
