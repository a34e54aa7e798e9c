namespace Smc.Memory.Slices;

/// <summary>A slice's place in its block, found by a pointer. Good as long as the block is mapped.</summary>
/// <remarks>No record: what a record prints of its members cannot be compiled ahead of time for pointers.</remarks>
/// <param name="block">The block.</param>
/// <param name="index">Index of the slice in it.</param>
internal readonly struct SlicePlace(SliceBlock block, int index)
{
    /// <summary>The block.</summary>
    public SliceBlock Block { get; } = block;

    /// <summary>Index of the slice in it.</summary>
    public int Index { get; } = index;

    private unsafe byte* Address => (byte*)(Block.Address + (ulong)Index * (ulong)Block.SliceBytes);

    /// <summary>The slice's header.</summary>
    public unsafe ulong* Header => (ulong*)Address;

    /// <summary>
    /// The length that the slice has at this moment. Whoever is not inside must bound it: the slice may be freed meanwhile, and the field then links
    /// to the next free one.
    /// </summary>
    public unsafe uint Length
    {
        get => Volatile.Read(ref *(uint*)(Address + SliceHeader.SizeInBytes)); // SAFETY: slices have at least 16 bytes.
        set => Volatile.Write(ref *(uint*)(Address + SliceHeader.SizeInBytes), value); // SAFETY: as above.
    }

    /// <summary>Bytes of the slice, with its header and length and what rounding added.</summary>
    public long SizeInBytes => Block.SliceBytes;

    /// <summary>The first bytes of the user.</summary>
    /// <safety>The length is at most <see cref="SliceBlock.Capacity"/>, and the block stays mapped while the span is in use.</safety>
    public unsafe Span<byte> Bytes(uint length) => new(Address + SliceSize.Overhead, (int)length);
}
