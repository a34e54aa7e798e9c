using System.ComponentModel;

namespace Smc.Memory;

/// <summary>A key that a unique index is searched for.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IIndexKey
{
    /// <summary>The hash, 40 bits.</summary>
    ulong Hash { get; }

    /// <summary>True if no other key has the same hash unless its own <see cref="IsNarrow"/> is false.</summary>
    bool IsNarrow { get; }

    /// <summary>Whether the columns of a row have this key.</summary>
    /// <param name="location">The row; the caller's critical section keeps its block.</param>
    bool IsAt(RowLocation location);
}
