using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Numbers texts as a comparer tells them apart, so that kernels can group and join by the numbers. Null is number 0. A stored text is looked up by its bytes first:
/// the comparer, and a string for it, are needed only for the first of those that are stored alike.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class ComparedTexts
{
    private const int FirstCapacity = 16;

    private readonly ValueNumbers<ComparedText?> _numbers = new();

    // Open addressing; word 0 is a free place.
    private Stored[] _stored = new Stored[FirstCapacity];
    private int _count;

    /// <summary>The first text that got a number.</summary>
    public ComparedText? this[ulong number] => _numbers[number];

    /// <summary>The number of a stored text.</summary>
    /// <param name="word">The text.</param>
    /// <param name="comparer">The comparer, the same in each call.</param>
    /// <param name="region">Where texts are kept, once each.</param>
    public ulong Of(ulong word, StringComparer comparer, ref Region region)
    {
        if (word == 0)
            return 0;
        ulong hash = KeyWords.Spread(KeyWords.HashText(word));
        int place = Find(word, hash);
        if (_stored[place].Word == 0)
        {
            ulong number = Of(ComparedText.Of(StringWord.Decode(word), comparer));
            if (++_count * 2 > _stored.Length)
            {
                Grow();
                place = Find(word, hash);
            }

            _stored[place] = new Stored(KeyWords.Keep(word, ref region), hash, number);
        }

        return _stored[place].Number;
    }

    /// <summary>The number of a text.</summary>
    public ulong Of(ComparedText? text) => _numbers.Of(text);

    /// <summary>The place of a text, or the free one where it belongs.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int Find(ulong word, ulong hash)
    {
        int mask = _stored.Length - 1;
        // The upper bits depend on all of the word: texts that differ in their ends have places of their own.
        int place = (int)(hash >> (64 - BitOperations.Log2((uint)_stored.Length)));
        while (_stored[place].Word != 0 && (_stored[place].Hash != hash || !StringWord.Equals(_stored[place].Word, word)))
            place = (place + 1) & mask;
        return place;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private void Grow()
    {
        Stored[] before = _stored;
        _stored = new Stored[before.Length * 2];
        foreach (Stored text in before)
        {
            if (text.Word != 0)
                _stored[Find(text.Word, text.Hash)] = text;
        }
    }

    private readonly record struct Stored(ulong Word, ulong Hash, ulong Number);
}
