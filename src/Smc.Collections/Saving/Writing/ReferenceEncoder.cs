using System.Runtime.InteropServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>References: the numbers of the rows that they lead to.</summary>
/// <param name="collection">The number of the collection in the schema.</param>
/// <param name="column">The number of the column.</param>
/// <param name="saved">What the schema says of it.</param>
/// <param name="layout">Where it is in memory.</param>
/// <param name="targets">The saved collections of the target's type.</param>
/// <param name="options">What to do with references to rows that are not saved.</param>
/// <param name="owner">The collection's name, for messages.</param>
internal sealed class ReferenceEncoder(
    int collection, int column, SavedColumn saved, ColumnLayout layout, IReadOnlyList<RowNumbers> targets, SaveOptions options, string owner)
    : ColumnEncoder(collection, column, saved, layout)
{
    private readonly RowNumbers _first = targets[0];
    private readonly bool _isDirect = layout.Storage == ColumnStorage.DirectReference;

    public override void Encode(NotedRows rows, long firstRow, int count, SectionBuffer buffer)
    {
        Span<uint> numbers = MemoryMarshal.Cast<byte, uint>(buffer.Begin(count * SavedColumn.ReferenceWidth));
        int next = 0;
        foreach (RowPiece piece in rows.Of(firstRow, count))
        {
            for (int i = 0; i < piece.Count; i++)
            {
                ulong handle = RowAccess.Read<ulong>(AddressOf(piece.Block, piece.SlotAt(i)));
                if (_isDirect)
                    handle = DirectWord.ToHandle(handle);
                uint number = 0;
                if (handle != 0 && (!_first.TryFind(handle, out number) || number == 0))
                    number = NumberOf(handle, buffer);
                numbers[next++] = number;
            }
        }

        End(buffer, SectionKind.Values, SectionEncoding.Fixed, firstRow, count, count * SavedColumn.ReferenceWidth);
    }

    private uint NumberOf(ulong handle, SectionBuffer buffer)
    {
        foreach (RowNumbers target in targets)
        {
            if (!target.TryFind(handle, out uint number))
                continue;
            if (number == 0)
                AddDangling(buffer);
            return number;
        }

        if (!Handle.IsAlive(handle))
        {
            AddDangling(buffer);
            return 0;
        }

        if (options.OnUnsaved == UnsavedReferenceAction.Throw)
            throw UnsavedTarget(owner, Saved, MemoryContext.Find(handle)?.Name);
        buffer.Lost = buffer.Lost with { Dropped = buffer.Lost.Dropped + 1 };
        return 0;
    }

    /// <summary>The exception for a reference to a collection that is not saved.</summary>
    public static InvalidOperationException UnsavedTarget(string owner, SavedColumn column, string? target) => new(
        $"{owner}.{column.Name} is a {column}, and {(target is null ? "no collection of this type" : $"collection '{target}'")} is saved with it. Pass that collection, too, or set OnUnsaved = UnsavedReferenceAction.Drop.");

    private void AddDangling(SectionBuffer buffer)
    {
        if (options.OnDangling == DanglingReferenceAction.Throw)
            throw new InvalidOperationException($"{owner}.{Saved.Name} refers to a row that has been removed, or retired: neither is saved. Call VerifyReferences to find references to removed rows, or set OnDangling = DanglingReferenceAction.Null.");
        buffer.Lost = buffer.Lost with { Dangling = buffer.Lost.Dangling + 1 };
    }
}
