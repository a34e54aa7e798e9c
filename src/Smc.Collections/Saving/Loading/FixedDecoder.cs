using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>Columns of values of one width.</summary>
/// <param name="saved">What the file says of the column.</param>
/// <param name="today">What the row type says of it.</param>
/// <param name="layout">Where it is in memory.</param>
/// <param name="rows">The rows.</param>
internal sealed class FixedDecoder(SavedColumn saved, SavedColumn today, ColumnLayout layout, LoadedRows rows) : ColumnDecoder(saved, layout, rows)
{
    private readonly bool _isConverted = saved.Kind != today.Kind || saved.Width != today.Width || saved.Kind == ValueKind.DateTimeOffset;

    public override void Decode(in SectionHeader header, ReadOnlySpan<byte> data)
    {
        ValueChecks.Check(Saved, data);
        int width = Layout.Width;
        byte[]? converted = null;
        if (_isConverted)
        {
            converted = GC.AllocateUninitializedArray<byte>(header.Rows * width);
            if (Saved.Kind == ValueKind.DateTimeOffset)
                ValueConversion.ToOffsetDates(data, converted);
            else
                ValueConversion.Widen(Saved, data, today, converted);
            data = converted;
        }

        foreach (LoadedRows.Piece piece in Rows.Of(header.FirstRow, header.Rows))
        {
            int bytes = piece.Count * width;
            Copy(data[..bytes], AddressOf(piece), piece.Count);
            data = data[bytes..];
        }
    }

    private unsafe void Copy(ReadOnlySpan<byte> values, ulong address, int count)
    {
        int width = Layout.Width;
        // SAFETY: the piece is of reserved slots of a block with this layout, and only this call writes their values.
        if (Layout.Stride == width)
        {
            values.CopyTo(new Span<byte>((void*)address, values.Length));
            return;
        }

        for (int i = 0; i < count; i++)
            Unsafe.CopyBlockUnaligned(ref *(byte*)(address + ((ulong)i * (ulong)Layout.Stride)), ref Unsafe.AsRef(in values[i * width]), (uint)width);
    }
}
