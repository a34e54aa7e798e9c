using Smc.Memory.Blocks;
using Smc.Memory.Diagnostics;
using Smc.Memory.Reachability;

namespace Smc.Memory;

/// <summary>Rewrites the direct references of rows that name a place in blocks that are about to be freed: to where their row is, or to null.</summary>
/// <param name="layout">The layout of the referring rows.</param>
/// <param name="retired">Those of them that are hidden: their references are followed, too.</param>
/// <param name="leaving">The blocks.</param>
internal sealed class ReferenceRepair(BlockLayout layout, RetiredRows retired, HashSet<BlockRef> leaving)
{
    private readonly RowField[] _columns =
        [.. layout.Columns.ToArray().Where(static column => column.Storage == ColumnStorage.DirectReference).Select(RowField.Of)];

    /// <summary>Walks the rows of a block.</summary>
    /// <safety>The caller is inside the critical section in which it found the block in the list, and no compaction moves the block's rows.</safety>
    public void Walk(BlockRef block)
    {
        foreach (int slot in retired.SlotsOf(block))
        {
            foreach (RowField column in _columns) Repair(ref column.WordAt(block, slot));
        }
    }

    private void Repair(ref ulong reference)
    {
        while (true)
        {
            ulong word = Volatile.Read(ref reference);
            if (word == 0 || !leaving.Contains(DirectWord.BlockOf(word))) return;
            ulong repaired = Repaired(word);
            ProtocolSteps.Reach(ProtocolStep.ReferenceRead);
            // The application may have stored another reference meanwhile, which names no block that leaves.
            if (Interlocked.CompareExchange(ref reference, repaired, word) != word) continue;
            ProtocolSteps.Reach(ProtocolStep.ReferenceRepaired);
            return;
        }
    }

    private ulong Repaired(ulong word)
    {
        bool isAlive = DirectWord.TryLocate(word, out RowLocation location) && !leaving.Contains(location.Block);
        return isAlive ? DirectWord.Make(location, (uint)word) : 0;
    }
}
