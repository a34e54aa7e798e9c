using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>The key of an index over one column of integers.</summary>
internal readonly struct IntegerKey : IIndexKey
{
    private readonly KeyPart _part;
    private readonly ulong _value;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public IntegerKey(KeyPart part, ulong value)
    {
        _part = part;
        _value = value;
        IsNarrow = KeyHash.IsNarrow(value) && !KernelMutants.HashesCollide;
        Hash = KernelMutants.HashesShareBucket && IsNarrow ? (value << 20) & ((1UL << 40) - 1)
            : IsNarrow ? KeyHash.OfNarrow(value)
            : KeyHash.Finish(KeyHash.Add(0, KernelMutants.HashesCollide ? 0 : value, 0));
    }

    public ulong Hash { get; }

    public bool IsNarrow { get; }

    public bool IsAt(ulong location) => _part.TryRead(location, out KeyWord word) && word.Low == _value;
}
