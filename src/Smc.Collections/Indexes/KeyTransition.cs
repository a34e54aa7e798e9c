using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>A row that is about to change its key: the key that it has and the one that it gets.</summary>
internal ref struct KeyTransition
{
    /// <summary>The key before, if the row has one.</summary>
    public KeyImage Before;

    /// <summary>The key after, if the row gets one.</summary>
    public KeyImage After;

    public bool HasBefore { get; init; }

    public bool HasAfter { get; init; }

    public uint Id { get; init; }

    public ulong Handle { get; init; }
}

/// <summary>What an index has to do when the columns are written, or if they are not.</summary>
/// <param name="Index">The index.</param>
/// <param name="HasOld">Whether the row had a key.</param>
/// <param name="OldHash">The hash of it in an index that has hashes.</param>
/// <param name="New">The word of the new key there.</param>
/// <param name="OldKey">The bytes of the old key in an index that is ordered, in the buffer.</param>
/// <param name="NewKey">The bytes of the new key there.</param>
internal readonly record struct ChangedKey(KeyedIndex Index, bool HasOld, ulong OldHash, ClaimedWord New, Range OldKey, Range NewKey);
