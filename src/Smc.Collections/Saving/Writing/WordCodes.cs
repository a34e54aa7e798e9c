using System.Runtime.CompilerServices;

namespace Smc.Collections.Saving;

/// <summary>Numbers the distinct string words of a section, as long as there are few: a hash table that is used again and again.</summary>
internal sealed class WordCodes
{
    private const int Slots = 4 * TextSection.MaxDictionary;

    // 0 is the word of null, which so has a code of its own.
    private readonly ulong[] _keys = new ulong[Slots];
    private readonly ushort[] _codes = new ushort[Slots];
    private readonly ulong[] _words = new ulong[TextSection.MaxDictionary];
    private int _count;
    private int _nullCode;

    /// <summary>The distinct words, by code.</summary>
    public ReadOnlySpan<ulong> Words => _words.AsSpan(0, _count);

    public void Clear()
    {
        Array.Clear(_keys);
        _count = 0;
        _nullCode = -1;
    }

    /// <summary>The code of a word.</summary>
    /// <returns>-1 if there are too many.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int CodeOf(ulong word)
    {
        if (word == 0)
            return _nullCode >= 0 ? _nullCode : _nullCode = Add(word);
        uint slot = (uint)((word * 0x9E3779B97F4A7C15) >> 49);
        while (_keys[slot] != 0)
        {
            if (_keys[slot] == word)
                return _codes[slot];
            slot = (slot + 1) & (Slots - 1);
        }

        int code = Add(word);
        if (code < 0)
            return code;
        _keys[slot] = word;
        _codes[slot] = (ushort)code;
        return code;
    }

    private int Add(ulong word)
    {
        if (_count == _words.Length)
            return -1;
        _words[_count] = word;
        return _count++;
    }
}
