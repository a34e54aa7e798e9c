using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>The key of an index over one column of integers.</summary>
internal readonly struct IntegerKey : IIndexKey
{
    private readonly KeyPart _part;
    private readonly ulong _value;

    public IntegerKey(KeyPart part, ulong value)
    {
        _part = part;
        _value = value;
        IsNarrow = TryHashNarrow(value, out ulong hash);
        Hash = IsNarrow ? hash : HashWide(value);
    }

    public ulong Hash { get; }

    public bool IsNarrow { get; }

    public bool IsAt(RowLocation location) => _part.TryReadInteger(location, out ulong value) && value == _value;

    /// <summary>The hash of a value.</summary>
    public static ulong HashOf(ulong value) => TryHashNarrow(value, out ulong hash) ? hash : HashWide(value);

    /// <summary>The hash of a value that no other value like it has.</summary>
    /// <returns>False if the value is too large for that.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryHashNarrow(ulong value, out ulong hash)
    {
        hash = KeyHash.OfNarrow(value);
        return KeyHash.IsNarrow(value);
    }

    private static ulong HashWide(ulong value) => KeyHash.Finish(KeyHash.Add(0, value, 0));
}
