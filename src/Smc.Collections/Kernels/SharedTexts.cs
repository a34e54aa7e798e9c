using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Strings of a query's results: rows with equal words, of interned and of short texts, share the string, so that a result of many rows with few texts makes few strings. A cache with one place
/// for each word; a text that finds its place taken by another takes it over. Of one thread.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct SharedTexts
{
    private const int FirstBits = 4;
    private const int MostBits = 12;
    private const int BitsPerStep = 2;

    // To keep a text that nobody asks for again costs a fraction of what it saves where it is found. Above so many kept in vain, hardly any comes twice.
    private const int InVainForOneFound = 4;
    private const long MostInVain = 4096;

    private ulong[]? _words;
    private string?[] _texts;
    private int _bits;
    private long _inVain;

    /// <summary>The string of a word; null for null.</summary>
    /// <safety>The word is live, as are all words that came before: interned chunks are not used for other texts while the critical section of the query lasts.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public string? Decode(ulong word)
    {
        if ((!StringWord.IsInline(word) && !StringWord.IsInterned(word)) || _inVain > MostInVain)
            return StringWord.Decode(word);
        if (_words is null)
            Begin(FirstBits);
        int place = Place(word);
        if (_words![place] == word)
        {
            _inVain -= InVainForOneFound;
            return _texts[place];
        }

        _inVain++;
        // Two texts want one place: with more places there are fewer such.
        if (_words[place] != 0 && _bits < MostBits)
        {
            Begin(_bits + BitsPerStep);
            place = Place(word);
        }

        _words[place] = word;
        return _texts[place] = StringWord.Decode(word);
    }

    private void Begin(int bits)
    {
        _bits = bits;
        _words = new ulong[1 << bits];
        _texts = new string?[1 << bits];
    }

    private readonly int Place(ulong word) => (int)(KeyWords.Spread(word) >> (64 - _bits));
}
