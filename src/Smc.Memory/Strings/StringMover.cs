using Smc.Memory.Diagnostics;

namespace Smc.Memory.Strings;

/// <summary>
/// Copies chunks out of leaving segments. A row's word is swapped by compare-and-exchange: if the row got another text meanwhile, that one stays
/// and the copy is freed. A chunk of a leaving segment is not handed out again, so the word that is compared cannot have come back.
/// </summary>
internal sealed class StringMover(StringHeap heap) : ChunkVisitor
{
    public long BytesMoved { get; private set; }

    public override bool VisitRow(ref ulong word, ulong value, int columnOffset)
    {
        if (heap.Evacuation.LeavingSegment(value) is not { } segment) return true;
        using WriteWindow window = WriteWindow.Enter();
        if (heap.IsHolding) return false;
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

    public override void VisitDead(ref ulong word, ulong value)
    {
        // Whoever takes the word out frees the chunk: this or the thread that takes the slot; see RowCleaner.
        if (heap.Evacuation.LeavingSegment(value) is not null && Interlocked.CompareExchange(ref word, 0, value) == value) heap.Free(value);
    }

    private static bool TrySwap(ref ulong word, ulong copy, ulong value)
    {
        ProtocolSteps.Reach(ProtocolStep.StringCopied);
        return Interlocked.CompareExchange(ref word, copy, value) == value;
    }
}
