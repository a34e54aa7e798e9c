using Smc.Memory.Diagnostics;

namespace Smc.Memory.Strings;

/// <summary>
/// Copies chunks out of leaving segments. A row's word is swapped by compare-and-exchange: if the row got another text meanwhile, that one stays
/// and the copy is freed. So are the words of slots in limbo taken out, which somebody may take meanwhile. A chunk of a leaving segment is not handed out again, so the word that is compared cannot have come back.
/// </summary>
internal sealed class StringMover(StringHeap heap) : ChunkVisitor
{
    public long BytesMoved { get; private set; }

    public override bool VisitRow(BlockRef block, ref ulong word, ulong value, int columnOffset)
    {
        if (heap.Evacuation.LeavingSegment(value) is not { } segment) return true;
        ProtocolSteps.Reach(ProtocolStep.StringFound);
        using WriteWindow window = WriteWindow.Enter();
        if (!heap.MayExchangeIn(block)) return false;
        ulong copy;
        try
        {
            copy = heap.Evacuation.CopyOut(value);
        }
        catch (OffHeapMemoryException)
        {
            return false;
        }
        if (!TrySwap(ref word, copy, value)) heap.Free(copy);
        else BytesMoved += heap.Evacuation.MoveOut(segment, value);
        return true;
    }

    public override void VisitDead(BlockRef block, ref ulong word, ulong value)
    {
        if (heap.Evacuation.LeavingSegment(value) is null) return;
        ProtocolSteps.Reach(ProtocolStep.StringFound);
        using WriteWindow window = WriteWindow.Enter();
        if (!heap.MayExchangeIn(block)) return;
        // Whoever takes the word out frees the chunk: this or the thread that takes the slot; see RowCleaner.
        if (Interlocked.CompareExchange(ref word, 0, value) == value) heap.Free(value);
    }

    private static bool TrySwap(ref ulong word, ulong copy, ulong value)
    {
        ProtocolSteps.Reach(ProtocolStep.StringCopied);
        return Interlocked.CompareExchange(ref word, copy, value) == value;
    }
}
