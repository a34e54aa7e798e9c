using System.Numerics;

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
        _used = new ulong[(units + 63) / 64];
    }

    public ulong Address { get; }

    public long Bytes => (long)_units * UnitBytes;

    public bool IsEmpty => _freeUnits == _units;

    public bool Holds(ulong segment) => segment - Address < (ulong)Bytes;

    /// <summary>Takes neighbouring units.</summary>
    /// <returns>Their address, or 0.</returns>
    public ulong TryTake(int count)
    {
        if (_freeUnits < count) return 0;
        int run = 0;
        for (int unit = 0; unit < _units; unit++)
        {
            ulong word = _used[unit >> 6];
            if (word == ulong.MaxValue)
            {
                run = 0;
                unit |= 63;
                continue;
            }
            run = (word >> (unit & 63) & 1) == 0 ? run + 1 : 0;
            if (run < count) continue;
            int first = unit - count + 1;
            Mark(first, count, used: true);
            return Address + (ulong)first * UnitBytes;
        }
        return 0;
    }

    public void Return(ulong segment, int count) => Mark((int)((segment - Address) / UnitBytes), count, used: false);

    private void Mark(int first, int count, bool used)
    {
        for (int unit = first; unit < first + count; unit++)
        {
            if (used) _used[unit >> 6] |= 1UL << (unit & 63);
            else _used[unit >> 6] &= ~(1UL << (unit & 63));
        }
        _freeUnits += used ? -count : count;
        System.Diagnostics.Debug.Assert(_used.Sum(static word => BitOperations.PopCount(word)) == _units - _freeUnits);
    }
}
