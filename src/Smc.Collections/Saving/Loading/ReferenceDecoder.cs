using System.Runtime.InteropServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>References: from numbers to the handles that rows will have.</summary>
/// <param name="saved">What the file says of the column.</param>
/// <param name="layout">Where it is in memory.</param>
/// <param name="rows">The rows.</param>
/// <param name="targets">The collections of the target's type, in the order of the schema.</param>
internal sealed class ReferenceDecoder(SavedColumn saved, ColumnLayout layout, LoadedRows rows, LoadedRows[] targets) : ColumnDecoder(saved, layout, rows)
{
    private readonly bool _isDirect = layout.Storage == ColumnStorage.DirectReference;
    private readonly LoadedRows? _single = targets.Length == 1 && layout.Storage == ColumnStorage.Reference ? targets[0] : null;
    private readonly long _count = targets.Sum(static target => target.Count);

    public override void Decode(in SectionHeader header, ReadOnlySpan<byte> data)
    {
        ReadOnlySpan<uint> numbers = MemoryMarshal.Cast<byte, uint>(data);
        if (_count < uint.MaxValue && numbers.ContainsAnyExceptInRange(0u, (uint)_count))
            throw new FormatException($"There is a reference to a row beyond the {_count} of {Saved.Type}.");
        foreach (LoadedRows.Piece piece in Rows.Of(header.FirstRow, header.Rows))
        {
            ulong address = AddressOf(piece);
            ulong stride = (ulong)Layout.Stride;
            foreach (uint number in numbers[..piece.Count])
            {
                KernelMemory.Write(address, number == 0 ? 0 : _single is { } single ? single.HandleOf(number - 1L) : WordOf(number - 1L));
                address += stride;
            }

            numbers = numbers[piece.Count..];
        }
    }

    private ulong WordOf(long row)
    {
        foreach (LoadedRows target in targets)
        {
            if (row < target.Count)
                return _isDirect ? target.DirectWordOf(row, Rows.Context) : target.HandleOf(row);
            row -= target.Count;
        }

        throw new FormatException($"There is a reference to a row beyond the {_count} of {Saved.Type}.");
    }
}
