using System.ComponentModel;

namespace Smc.Memory;

/// <summary>Where a claim put its word in motion, so that it need not be looked for again. The default: no word, because a part of the key is null.</summary>
/// <remarks>Good inside the critical section of the claim, and while the row's stripe is held.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct ClaimedWord
{
    internal ClaimedWord(ulong segment, ulong address, ulong hash)
    {
        Segment = segment;
        Address = address;
        Hash = hash;
    }

    internal ulong Segment { get; }

    internal ulong Address { get; }

    /// <summary>The hash of the key.</summary>
    public ulong Hash { get; }

    /// <summary>False if there is no word.</summary>
    public bool IsThere => Address != 0;
}
