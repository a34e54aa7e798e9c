using System.Numerics;
using Smc.Memory.Allocation;

namespace Smc.Memory.Indexes;

/// <summary>A mapping that segments of one index are cut from, in units of 8 KiB. All members are used under the lock of <see cref="IndexMemory"/>.</summary>
internal sealed class IndexPiece
{
    public const int UnitBytes = 8 * 1024;

    private readonly ulong[] _used;
    private readonly int _units;
    private int _freeUnits;

    /// <summary>Describes a mapping that is free.</summary>
    public IndexPiece(ulong address, int units)
    {
        Address = address;
        _units = units;
        _freeUnits = units;
        _used = Bits.For(units);
        // What is not there is in use. A run of free units lies within one word.
        if (units % 64 != 0) _used[^1] = ulong.MaxValue << (units % 64);
    }

    public ulong Address { get; }

    public long Bytes => (long)_units * UnitBytes;

    public bool IsEmpty => _freeUnits == _units;

    public bool Holds(ulong segment) => segment - Address < (ulong)Bytes;

    /// <summary>Takes neighbouring units: a free run of that length, else of a longer one.</summary>
    /// <returns>Their address, or 0.</returns>
    public ulong TryTake(int count)
    {
        if (_freeUnits < count) return 0;
        ulong longer = 0;
        int longerWord = 0;
        for (int i = 0; i < _used.Length; i++)
        {
            ulong free = ~_used[i];
            ulong fits = free & ~(free << 1);
            for (int k = 1; k < count; k++) fits &= free >> k;
            ulong exact = fits & ~(free >> count);
            if (exact != 0) return Take(i, exact, count);
            if (longer != 0) continue;
            longer = fits;
            longerWord = i;
        }
        return longer != 0 ? Take(longerWord, longer, count) : 0;
    }

    public void Return(ulong segment, int count) => Mark((int)((segment - Address) / UnitBytes), count, used: false);

    private ulong Take(int word, ulong runs, int count)
    {
        int first = 64 * word + BitOperations.TrailingZeroCount(runs);
        Mark(first, count, used: true);
        return Address + (ulong)first * UnitBytes;
    }

    private void Mark(int first, int count, bool used)
    {
        Bits units = new(_used);
        for (int unit = first; unit < first + count; unit++)
        {
            if (used) units.Set(unit);
            else units.Clear(unit);
        }
        _freeUnits += used ? -count : count;
        System.Diagnostics.Debug.Assert(units.Count == _used.Length * 64 - _freeUnits);
    }
}
