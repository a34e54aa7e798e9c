using System.Numerics;

namespace Smc.Memory.Reachability;

/// <summary>Goes through the ids whose bits are set in some combination of bitmaps, ascending. Each word is computed once, when its first id is asked for.</summary>
/// <param name="range">Its pages tell how far to look.</param>
/// <param name="wordAt">The bits of 64 ids.</param>
internal struct IdsOf(IdBitmap range, Func<int, ulong> wordAt)
{
    private readonly int _words = range.WordLimit;
    private int _word;
    private ulong _rest;

    public uint Current { get; private set; }

    public readonly IdsOf GetEnumerator() => this;

    public bool MoveNext()
    {
        while (_rest == 0)
        {
            if (_word == _words) return false;
            _rest = wordAt(_word++);
        }
        Current = (uint)(((_word - 1) * 64) + BitOperations.TrailingZeroCount(_rest));
        _rest &= _rest - 1;
        return true;
    }
}
