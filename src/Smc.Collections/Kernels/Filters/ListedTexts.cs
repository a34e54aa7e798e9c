using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary><c>texts.Contains(text)</c> for stored texts: the words of an array, a list or a small set are made once (<see cref="ListedElements"/>). Other sequences may compare in their own way, so they are asked.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ListedTexts
{
    private readonly IEnumerable<string?>? _texts;
    private readonly KnownAnswers _known;
    private readonly ulong _words;
    private readonly int _count;

    private ListedTexts(ulong words, int count)
    {
        _words = words;
        _count = count;
    }

    private ListedTexts(IEnumerable<string?>? texts, KnownAnswers known)
    {
        _texts = texts;
        _known = known;
    }

    /// <summary>Takes the texts.</summary>
    /// <param name="texts">The texts; null raises when somebody asks.</param>
    /// <param name="region">Where their words go.</param>
    public static ListedTexts Of(IEnumerable<string?>? texts, ref Region region)
    {
        if (ListedElements.TryTake(texts) is not { } taken)
            return new ListedTexts(texts, KnownAnswers.Create(ref region));
        int count = taken.Count;
        ulong words = region.Allocate(Math.Max(1, Padded(count)) * sizeof(ulong)), next = words;
        ulong word = 0;
        // Others may have added to a list, or taken out of it, since it was counted.
        foreach (string? text in taken.Take(count))
        {
            word = KeyWords.OfText(text, ref region);
            KernelMemory.Write(next, word);
            next += sizeof(ulong);
        }

        count = (int)((next - words) / sizeof(ulong));

        for (ulong end = words + (Padded(count) * sizeof(ulong)); next < end; next += sizeof(ulong))
            KernelMemory.Write(next, word);
        return new ListedTexts(words, count);
    }

    /// <summary>Whether the text of a word is one of the texts.</summary>
    /// <safety>The word is live.</safety>
    /// <exception cref="ArgumentNullException">There is no sequence.</exception>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool Contains(ulong word)
    {
        if (_words == 0)
            return Ask(word);
        if (StringWord.IsInline(word))
            return ContainsWord(word);
        for (ulong next = _words, end = _words + ((ulong)_count * sizeof(ulong)); next < end; next += sizeof(ulong))
        {
            if (StringWord.Equals(word, KernelMemory.Read<ulong>(next)))
                return true;
        }

        return false;
    }

    /// <summary>The words of short texts are the same whenever their texts are, so four are compared at a time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe bool ContainsWord(ulong word)
    {
        Vector256<ulong> wanted = Vector256.Create(word), found = default;
        // SAFETY: Of wrote as many words, and the region lives as long as the query.
        for (ulong* next = (ulong*)_words, end = next + (Padded(_count)); next < end; next += Vector256<ulong>.Count)
            found |= Vector256.Equals(Vector256.Load(next), wanted);
        return found != default;
    }

    /// <summary>So many words with the last of them again behind them that they fill vectors.</summary>
    private static uint Padded(int count) => (uint)((count + Vector256<ulong>.Count - 1) & -Vector256<ulong>.Count);

    /// <summary>The words of short texts are the same whenever their texts are, and end with a bit that all have.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private bool Ask(ulong word)
    {
        if (!StringWord.IsInline(word))
            return Enumerable.Contains(_texts!, StringWord.Decode(word));
        ulong question = word >> 1;
        return _known.TryGet(question, out bool answer) ? answer : _known.Keep(question, Enumerable.Contains(_texts!, StringWord.Decode(word)));
    }
}
