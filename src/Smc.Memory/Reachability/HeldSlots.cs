using System.Numerics;
using Smc.Memory.Blocks;

namespace Smc.Memory.Reachability;

/// <summary>Goes through the slots of a block that hold rows, retired or not, ascending. A row that comes or goes meanwhile is seen or not; one that is retired meanwhile is seen.</summary>
/// <safety>The caller is inside a critical section that keeps the block mapped.</safety>
internal ref struct HeldSlots(RetiredRows retired, BlockRef block)
{
    private readonly int _words = (block.SlotCount + 63) / 64;
    private int _word;
    private ulong _rest;

    public int Current { get; private set; }

    public readonly HeldSlots GetEnumerator() => this;

    public bool MoveNext()
    {
        while (_rest == 0)
        {
            if (_word == _words) return false;
            _rest = retired.RowsOf(block, _word++);
        }
        Current = ((_word - 1) * 64) + BitOperations.TrailingZeroCount(_rest);
        _rest &= _rest - 1;
        return true;
    }
}
