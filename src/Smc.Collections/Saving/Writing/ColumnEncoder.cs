using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>Writes a column of a collection as sections. Not changed after its creation, so several threads use it at once.</summary>
/// <param name="collection">The number of the collection in the schema.</param>
/// <param name="column">The number of the column.</param>
/// <param name="saved">What the schema says of it.</param>
/// <param name="layout">Where it is in memory.</param>
internal abstract class ColumnEncoder(int collection, int column, SavedColumn saved, ColumnLayout layout)
{
    protected SavedColumn Saved => saved;

    protected ColumnLayout Layout => layout;

    /// <summary>Writes the values of rows, all of them in one critical section.</summary>
    /// <param name="rows">The collection's rows.</param>
    /// <param name="firstRow">The first row.</param>
    /// <param name="count">At most <see cref="SectionHeader.MaxRows"/>.</param>
    /// <param name="buffer">Takes the sections.</param>
    /// <safety>The caller reads the moment that the rows are of (<see cref="SavedMoment.Read"/>).</safety>
    public abstract void Encode(NotedRows rows, long firstRow, int count, SectionBuffer buffer);

    protected void End(SectionBuffer buffer, SectionKind kind, SectionEncoding encoding, long firstRow, int rows, int length) =>
        buffer.End(new SectionHeader(kind, encoding, collection, column, firstRow, rows, length, DataCrc: 0));

    protected ulong AddressOf(BlockRef block, int slot) => new RowLocation(block, slot).AddressOf(layout.Offset, layout.Stride);
}
