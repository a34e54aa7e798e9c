using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>Columns whose values are in the file as they are in memory.</summary>
internal class FixedEncoder(int collection, int column, SavedColumn saved, ColumnLayout layout) : ColumnEncoder(collection, column, saved, layout)
{
    public override void Encode(NotedRows rows, long firstRow, int count, SectionBuffer buffer)
    {
        bool hasNulls = Saved.HasNullBits;
        Span<ulong> nulls = default;
        if (hasNulls)
        {
            // Bits before values: a writer sets the value before it clears the bit.
            nulls = buffer.Words((count + 63) / 64);
            nulls.Clear();
            ReadNulls(rows, firstRow, count, nulls);
            int bytes = (count + 7) / 8;
            MemoryMarshal.AsBytes(nulls)[..bytes].CopyTo(buffer.Begin(bytes));
            End(buffer, SectionKind.Nulls, SectionEncoding.Fixed, firstRow, count, bytes);
        }

        int width = Saved.Width;
        Span<byte> values = buffer.Begin(count * width);
        int next = 0;
        foreach (RowPiece piece in rows.Of(firstRow, count))
        {
            CopyValues(piece, values.Slice(next * width, piece.Count * width));
            next += piece.Count;
        }

        // What is left in the place of a null is nobody's business.
        for (int i = 0; hasNulls && i < count; i++)
        {
            if ((nulls[i >> 6] >> (i & 63) & 1) != 0)
                values.Slice(i * width, width).Clear();
        }

        End(buffer, SectionKind.Values, SectionEncoding.Fixed, firstRow, count, count * width);
    }

    /// <summary>Copies the values of some rows.</summary>
    protected virtual void CopyValues(RowPiece piece, Span<byte> values)
    {
        int width = Saved.Width;
        if (!piece.HasGaps && Layout.Stride == width)
        {
            WholeValue.Copy(AddressOf(piece.Block, piece.FirstSlot), values, width);
            return;
        }

        switch (width)
        {
            case 4:
                Span<uint> words = MemoryMarshal.Cast<byte, uint>(values);
                for (int i = 0; i < words.Length; i++)
                    words[i] = RowAccess.Read<uint>(AddressOf(piece.Block, piece.SlotAt(i)));
                break;
            case 8:
                Span<ulong> longs = MemoryMarshal.Cast<byte, ulong>(values);
                for (int i = 0; i < longs.Length; i++)
                    longs[i] = RowAccess.Read<ulong>(AddressOf(piece.Block, piece.SlotAt(i)));
                break;
            default:
                for (int i = 0; i < piece.Count; i++)
                    WholeValue.Copy(AddressOf(piece.Block, piece.SlotAt(i)), values.Slice(i * width, width));
                break;
        }
    }

    private void ReadNulls(NotedRows rows, long firstRow, int count, Span<ulong> nulls)
    {
        int next = 0;
        foreach (RowPiece piece in rows.Of(firstRow, count))
        {
            ulong bitmap = piece.Block.Address + (ulong)Layout.NullBitmapOffset;
            for (int i = 0; i < piece.Count; i++, next++)
            {
                if (NullBitmap.IsSet(bitmap, (ulong)piece.SlotAt(i)))
                    nulls[next >> 6] |= 1UL << (next & 63);
            }
        }
    }
}

/// <summary>Dates with an offset, whose fields .NET may arrange as it likes.</summary>
internal sealed class OffsetDateEncoder(int collection, int column, SavedColumn saved, ColumnLayout layout) : FixedEncoder(collection, column, saved, layout)
{
    protected override void CopyValues(RowPiece piece, Span<byte> values)
    {
        for (int i = 0; i < piece.Count; i++)
        {
            DateTimeOffset value = RowAccess.Read<DateTimeOffset>(AddressOf(piece.Block, piece.SlotAt(i)));
            BinaryPrimitives.WriteInt64LittleEndian(values[(16 * i)..], value.UtcTicks);
            BinaryPrimitives.WriteInt64LittleEndian(values[((16 * i) + 8)..], (uint)value.TotalOffsetMinutes);
        }
    }
}
