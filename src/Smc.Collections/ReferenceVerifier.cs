using System.Numerics;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>Finds references to rows that are gone.</summary>
internal static class ReferenceVerifier
{
    public static IReadOnlyList<DanglingReference<T>> Verify<T>(MemoryContext context)
        where T : unmanaged
    {
        List<DanglingReference<T>> dangling = [];
        ColumnLayout[] references = Array.FindAll(context.Layout.Columns.ToArray(), c => c.Storage is ColumnStorage.Reference or ColumnStorage.DirectReference);
        if (references.Length == 0)
            return dangling;
        using CriticalSection section = CriticalSection.Enter();
        BlockList blocks = context.Blocks;
        for (int i = 0; i < blocks.Count; i++)
            VerifyBlock(blocks[i], references, dangling);
        return dangling;
    }

    private static void VerifyBlock<T>(BlockRef block, ColumnLayout[] references, List<DanglingReference<T>> dangling)
        where T : unmanaged
    {
        int slots = block.SlotCount;
        for (int first = 0; first < slots; first += 64)
        {
            ulong valid = RowAccess.Read<ulong>(BlockHeader.Validity(block.Address) + ((ulong)first >> 3));
            for (; valid != 0; valid &= valid - 1)
                VerifyRow(block, first + BitOperations.TrailingZeroCount(valid), references, dangling);
        }
    }

    private static void VerifyRow<T>(BlockRef block, int slot, ColumnLayout[] references, List<DanglingReference<T>> dangling)
        where T : unmanaged
    {
        foreach (ColumnLayout column in references)
        {
            ulong target = RowAccess.Read<ulong>(new RowLocation(block, slot).AddressOf(column.Offset, column.Stride));
            if (column.Storage == ColumnStorage.DirectReference)
                target = DirectWord.ToHandle(target);
            if (target == 0 || Handle.IsAlive(target))
                continue;
            ulong handle = block.HandleAt(slot);
            if (handle != 0)
                dangling.Add(new DanglingReference<T>(RowHandle.FromBits<T>(handle), column.Name));
        }
    }
}
