using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// What was computed of texts: rows with equal words, of interned and of short texts, get the same result, which is computed once. A hash table that is emptied when it is full. Of one thread.
/// </summary>
/// <typeparam name="T">The type of a result, which nobody changes.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct TextResults<T>
{
    private const int FirstBits = 4;

    // The texts that a column shares at most fill a quarter.
    private const int MostBits = 14;
    private const int BitsPerStep = 2;

    // To keep a result that nobody asks for again costs a fraction of what it saves where it is found. Above so many kept in vain, hardly any text comes twice.
    private const int InVainForOneFound = 4;
    private const long MostInVain = 4096;

    // Open addressing with linear probing; half of the places are empty. The word of null stands for an empty one.
    private ulong[]? _words;
    private T[] _results;
    private int _bits;
    private int _count;
    private long _inVain;

    /// <summary>Whether there is a result for a text.</summary>
    /// <param name="word">The word of the text.</param>
    /// <param name="result">The result.</param>
    /// <safety>The word is live, as are all words that came before: interned chunks are not used for other texts while the critical section of the query lasts.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFind(ulong word, out T result)
    {
        if (_words is not null && word != 0)
        {
            int place = PlaceOf(word);
            if (_words[place] == word)
            {
                _inVain -= InVainForOneFound;
                result = _results[place];
                return true;
            }
        }

        result = default!;
        return false;
    }

    /// <summary>Keeps the result for a text, if other rows may share the text, and returns it.</summary>
    /// <param name="word">The word of the text, for which there is none.</param>
    /// <param name="result">The result.</param>
    /// <safety>As <see cref="TryFind"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public T Keep(ulong word, T result)
    {
        if ((!StringWord.IsInline(word) && !StringWord.IsInterned(word)) || _inVain > MostInVain)
            return result;
        if (_words is null)
            Begin(FirstBits);
        else if (_count == _words.Length / 2)
            Begin(Math.Min(_bits + BitsPerStep, MostBits));
        _inVain++;
        _count++;
        int place = PlaceOf(word);
        _words![place] = word;
        return _results[place] = result;
    }

    private void Begin(int bits)
    {
        _bits = bits;
        _count = 0;
        _words = new ulong[1 << bits];
        _results = new T[1 << bits];
    }

    /// <summary>Where a word is, or would be.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly int PlaceOf(ulong word)
    {
        ulong[] words = _words!;
        int place = (int)(KeyWords.Spread(word) >> (64 - _bits));
        while (words[place] != word && words[place] != 0)
            place = (place + 1) & (words.Length - 1);
        return place;
    }
}
