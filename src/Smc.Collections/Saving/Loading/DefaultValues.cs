using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>Gives loaded rows the defaults of properties that are newer than their file.</summary>
internal static class DefaultValues
{
    /// <summary>Fills columns of all rows. O(rows).</summary>
    /// <param name="rows">The rows.</param>
    /// <param name="columns">The columns.</param>
    public static void Fill(LoadedRows rows, IReadOnlyList<ColumnLayout> columns)
    {
        if (columns.Count == 0 || rows.Count == 0)
            return;
        RowTransfer transfer = rows.Owner.Schema.Transfer;
        using IRowOwner example = transfer.CreateCollection(new CollectionOptions { Name = rows.Owner.Name, Manager = rows.Context.Manager, MaxRows = 1, BlockCapacity = 1 });
        ulong handle = transfer.AddDefault(example);
        for (long row = 0; row < rows.Count; row += SectionHeader.MaxRows)
        {
            using CriticalSection section = CriticalSection.Enter();
            rows.Context.ThrowIfDisposed();
            RowLocation location = RowLocation.FromBits(RowAccess.Locate<IRowOwner>(handle));
            foreach (ColumnLayout column in columns)
            {
                foreach (LoadedRows.Piece piece in rows.Of(row, (int)Math.Min(SectionHeader.MaxRows, rows.Count - row)))
                    Fill(rows.Context, column, location, piece);
            }
        }
    }

    private static unsafe void Fill(MemoryContext context, ColumnLayout column, RowLocation example, LoadedRows.Piece piece)
    {
        ulong from = example.AddressOf(column.Offset, column.Stride);
        bool isNull = column.NullBitmapOffset >= 0 && NullBitmap.IsSet(example.Block.Address + (ulong)column.NullBitmapOffset, (ulong)example.Slot);
        for (int slot = piece.FirstSlot; slot < piece.FirstSlot + piece.Count; slot++)
        {
            ulong to = new RowLocation(piece.Block, slot).AddressOf(column.Offset, column.Stride);
            // SAFETY: both are places of a value of this column, in rows that the caller's section keeps.
            if (column.Storage is ColumnStorage.String or ColumnStorage.Binary)
                KernelMemory.Write(to, Copy(context, column, RowAccess.Read<ulong>(from)));
            else
                Unsafe.CopyBlockUnaligned((void*)to, (void*)from, (uint)column.Width);
            if (isNull)
                NullBitmap.Set(piece.Block.Address + (ulong)column.NullBitmapOffset, (ulong)slot);
        }
    }

    private static ulong Copy(MemoryContext context, ColumnLayout column, ulong word) =>
        word == 0 || StringWord.IsInline(word) ? word
        : column.Storage == ColumnStorage.String ? context.Strings.StoreUtf8(StringWord.Bytes(in word), column.Offset)
        : context.Strings.StoreUtf8(StringWord.Bytes(in word));
}
