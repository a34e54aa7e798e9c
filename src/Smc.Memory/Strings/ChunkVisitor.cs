namespace Smc.Memory.Strings;

/// <summary>Something that goes through the chunk words of all rows and may change them, while others read and write the rows.</summary>
internal abstract class ChunkVisitor
{
    /// <summary>Visits a word that is neither null nor inline.</summary>
    /// <param name="block">The block with the row. Since the visitor came to it, it may have got a successor, which has the words then (<see cref="StringHeap.MayExchangeIn"/>).</param>
    /// <param name="word">The word in the row; others may exchange it at any time.</param>
    /// <param name="value">What was read there.</param>
    /// <param name="columnOffset">The column's name in the heap; -1 for bytes, which are not interned.</param>
    /// <returns>False to stop.</returns>
    /// <safety>The row was alive in the caller's critical section, so the chunk of <paramref name="value"/> stays until it ends.</safety>
    public abstract bool VisitRow(BlockRef block, ref ulong word, ulong value, int columnOffset);

    /// <summary>Visits a word of a slot in limbo that no reader can reach. Its chunk may be freed by whoever takes the slot.</summary>
    public virtual void VisitDead(BlockRef block, ref ulong word, ulong value)
    {
    }
}
