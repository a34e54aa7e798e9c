namespace Smc.Memory.Strings;

/// <summary>Counts the chunks of dead rows, which only look alive: they are freed when a new row takes the slot, or when their segment leaves.</summary>
internal sealed class DeadChunkCounter(StringHeap heap) : ChunkVisitor
{
    public override bool VisitRow(BlockRef block, ref ulong word, ulong value, int columnOffset) => true;

    public override void VisitDead(BlockRef block, ref ulong word, ulong value) => heap.Evacuation.CountDead(value);
}
