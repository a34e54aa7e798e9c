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

    private unsafe byte* Start => (byte*)(Block.Address + (ulong)Index * (ulong)Block.SliceBytes);

    /// <summary>The slice's header, for <see cref="SliceHeader"/>.</summary>
    public unsafe ref ulong Header => ref *(ulong*)Start; // SAFETY: slices have at least 16 bytes.

    /// <summary>The header's word. Acquire: the bytes are read after; partner: every transition of the header, a full fence.</summary>
    public ulong Word => Volatile.Read(ref Header);

    /// <summary>Where the slice is, for those who keep that as a word.</summary>
    public unsafe ulong Address => (ulong)Start;

    /// <summary>
    /// The length that the slice has at this moment. Whoever is not inside must bound it: the slice may be freed meanwhile, and the field then links
    /// to the next free one.
    /// </summary>
    public unsafe uint Length
    {
        get => Volatile.Read(ref *(uint*)(Start + SliceHeader.SizeInBytes)); // SAFETY: slices have at least 16 bytes.
        set => Volatile.Write(ref *(uint*)(Start + SliceHeader.SizeInBytes), value); // SAFETY: as above.
    }

    /// <summary>Bytes of the slice, with its header and length and what rounding added.</summary>
    public long SizeInBytes => Block.SliceBytes;

    /// <summary>The first bytes of the user.</summary>
    /// <safety>The length is at most <see cref="SliceBlock.Capacity"/>, and the block stays mapped while the span is in use.</safety>
    public unsafe Span<byte> Bytes(uint length) => new(Start + SliceSize.Overhead, (int)length);
}
