namespace Smc.Memory.Strings;

/// <summary>Gives texts the words of the current tables.</summary>
internal sealed class StringInterner(StringHeap heap) : ChunkVisitor
{
    public override bool VisitRow(BlockRef block, ref ulong word, ulong value, int columnOffset)
    {
        if (columnOffset < 0) return true;
        using WriteWindow window = WriteWindow.Enter();
        if (!heap.MayExchangeIn(block)) return false;
        ReadOnlySpan<byte> text = StringWord.Bytes(in value);
        if (text.Length > InternedColumn.MaxTextBytes) return true;
        ulong again = heap.StoreUtf8(text, columnOffset);
        if (Interlocked.CompareExchange(ref word, again, value) == value) heap.Retire(value);
        else heap.Free(again);
        return true;
    }
}
