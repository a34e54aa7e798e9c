using System.Diagnostics;

namespace Smc.Memory;

/// <summary>
/// A pointer to a slice of a <see cref="SliceHeap"/>, in 64 bits. It may be copied, stored anywhere and kept for any time: once its slice is
/// deleted, every call with it answers <see langword="false"/>, whoever has the memory by then.
/// </summary>
/// <remarks>
/// <code>[ version 24 | number of the block 20 | index of the slice in the block 20 ]</code>
/// Versions distinguish the tenants of one place; they are never used twice (Nova, section 3.1 and figure 3.2, where they may wrap). Version 0 belongs to no slice,
/// so 0 is null. The index counts slices, not bytes: any index below the block's count leads to a header, also when the block's number serves
/// slices of another size by now.
/// </remarks>
public readonly struct SafePtr : IEquatable<SafePtr>
{
    internal const int VersionBits = 24;
    internal const int BlockBits = 20;
    internal const int IndexBits = 20;
    internal const uint MaxVersion = (1u << VersionBits) - 1;
    internal const int MaxBlocks = 1 << BlockBits;
    internal const int MaxSlicesPerBlock = 1 << IndexBits;

    private readonly ulong _bits;

    private SafePtr(ulong bits) => _bits = bits;

    internal SafePtr(uint version, int block, int index)
    {
        Debug.Assert(version is > 0 and <= MaxVersion && (uint)block < MaxBlocks && (uint)index < MaxSlicesPerBlock);
        _bits = (ulong)version << (BlockBits + IndexBits) | (ulong)(uint)block << IndexBits | (uint)index;
    }

    /// <summary>True for the default value, which is the pointer to no slice.</summary>
    public bool IsNull => _bits == 0;

    internal uint Version => (uint)(_bits >> (BlockBits + IndexBits));

    internal int Block
    {
        get
        {
            return (int)(_bits >> IndexBits) & (MaxBlocks - 1);
        }
    }

    internal int Index => (int)_bits & (MaxSlicesPerBlock - 1);

    /// <summary>Makes a pointer from the bits of one.</summary>
    /// <remarks>Made-up bits are no danger to the process: a call with them answers <see langword="false"/>, or finds some slice of its heap.</remarks>
    public static SafePtr FromUInt64(ulong bits) => new(bits);

    /// <summary>The bits, to be stored where a <see cref="SafePtr"/> cannot be; 0 for null.</summary>
    public ulong ToUInt64() => _bits;

    /// <inheritdoc/>
    public bool Equals(SafePtr other) => _bits == other._bits;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is SafePtr other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => _bits.GetHashCode();

    /// <summary>The version, block and index.</summary>
    public override string ToString() => IsNull ? "null" : $"slice {Block}:{Index} v{Version}";

    /// <summary>True if both point to the same slice.</summary>
    public static bool operator ==(SafePtr left, SafePtr right) => left.Equals(right);

    /// <summary>True if they point to different slices.</summary>
    public static bool operator !=(SafePtr left, SafePtr right) => !left.Equals(right);
}
