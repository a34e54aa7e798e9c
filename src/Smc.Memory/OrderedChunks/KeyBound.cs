using System.ComponentModel;

namespace Smc.Memory;

/// <summary>An end of a range of keys.</summary>
/// <param name="Key">The bytes of the key. They must not change afterwards.</param>
/// <param name="IsIncluded">True if the key itself is in the range.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct KeyBound(byte[] Key, bool IsIncluded);
