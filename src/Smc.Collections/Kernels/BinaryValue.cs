using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Compares the binary columns of detached records by their bytes, where <see cref="ReadOnlyMemory{T}"/> compares addresses.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class BinaryValue
{
    /// <summary>Whether both have the same bytes.</summary>
    public static bool AreEqual(ReadOnlyMemory<byte> left, ReadOnlyMemory<byte> right) => left.Span.SequenceEqual(right.Span);

    /// <summary>Whether both have the same bytes, or both are null.</summary>
    public static bool AreEqual(ReadOnlyMemory<byte>? left, ReadOnlyMemory<byte>? right) =>
        left is null || right is null ? left is null && right is null : AreEqual(left.Value, right.Value);

    /// <summary>The hash of the bytes; 0 for null.</summary>
    public static int HashOf(ReadOnlyMemory<byte>? value)
    {
        if (value is null)
            return 0;
        HashCode hash = default;
        hash.AddBytes(value.Value.Span);
        return hash.ToHashCode();
    }
}
