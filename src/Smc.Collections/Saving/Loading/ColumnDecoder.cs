using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>Checks the sections of a column and writes their values to reserved rows. Not changed after its creation, so several threads use it at once, for different rows.</summary>
/// <param name="saved">What the file says of the column.</param>
/// <param name="layout">Where it is in memory.</param>
/// <param name="rows">The rows.</param>
internal abstract class ColumnDecoder(SavedColumn saved, ColumnLayout layout, LoadedRows rows)
{
    protected SavedColumn Saved => saved;

    protected ColumnLayout Layout => layout;

    protected LoadedRows Rows => rows;

    /// <summary>Takes a section of values over.</summary>
    /// <exception cref="FormatException">The data is not what a save writes.</exception>
    /// <safety>The caller is in a critical section in which it saw that the collection is there.</safety>
    public abstract void Decode(in SectionHeader header, ReadOnlySpan<byte> data);

    /// <summary>Takes a section of null bits over.</summary>
    /// <inheritdoc cref="Decode" path="/exception|/safety"/>
    public void DecodeNulls(in SectionHeader header, ReadOnlySpan<byte> data)
    {
        int unused = (8 * data.Length) - header.Rows;
        if (unused > 0 && data[^1] >> (8 - unused) != 0)
            throw new FormatException("Unused null bits are set.");
        int next = 0;
        foreach (LoadedRows.Piece piece in rows.Of(header.FirstRow, header.Rows))
        {
            ulong bitmap = piece.Block.Address + (ulong)layout.NullBitmapOffset;
            for (int i = 0; i < piece.Count; i++, next++)
            {
                if ((next & 7) == 0 && data[next >> 3] == 0 && i + 8 <= piece.Count)
                {
                    i += 7;
                    next += 7;
                }
                else if ((data[next >> 3] >> (next & 7) & 1) != 0)
                {
                    NullBitmap.Set(bitmap, (ulong)(piece.FirstSlot + i));
                }
            }
        }
    }

    protected ulong AddressOf(in LoadedRows.Piece piece) => new RowLocation(piece.Block, piece.FirstSlot).AddressOf(layout.Offset, layout.Stride);
}
