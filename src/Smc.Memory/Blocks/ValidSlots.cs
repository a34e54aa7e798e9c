using System.Numerics;

namespace Smc.Memory.Blocks;

/// <summary>Goes through the slots of a block whose validity bit is set, ascending. A row that comes or goes meanwhile is seen or not.</summary>
/// <safety>The caller is inside a critical section that keeps the block mapped.</safety>
internal ref struct ValidSlots(BlockRef block)
{
    private readonly int _words = (block.SlotCount + 63) / 64;
    private int _word;
    private ulong _rest;

    public int Current { get; private set; }

    public readonly ValidSlots GetEnumerator() => this;

    public bool MoveNext()
    {
        while (_rest == 0)
        {
            if (_word == _words) return false;
            _rest = block.ValidWord(_word++);
        }
        Current = (_word - 1) * 64 + BitOperations.TrailingZeroCount(_rest);
        _rest &= _rest - 1;
        return true;
    }
}
