using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>From a small number (the position of key values in their domain, or a combination of places of values) to a group, by one load. Holds group number + <see cref="FirstGroup"/>.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct GroupNumbers
{
    /// <summary>What an index without a group holds.</summary>
    public const uint None = 0;

    /// <summary>What the index of rows that are not in the query holds, so that branch-free code can add them up and forget them.</summary>
    public const uint Discarded = 1;

    /// <summary>What the index of the first group holds.</summary>
    public const uint FirstGroup = 2;

    private ulong _map;

    /// <summary>The number of indexes.</summary>
    public ulong Size { get; private set; }

    /// <summary>The index of rows that are not in the query.</summary>
    public readonly ulong DiscardedAt => Size;

    /// <summary>The index of rows whose keys lie outside the map; it never has a group.</summary>
    public readonly ulong OutsideAt => Size + 1;

    /// <summary>Where the 32-bit entries begin.</summary>
    public readonly ulong Address => _map;

    /// <summary>Makes a map of so many indexes, none of which has a group.</summary>
    public static GroupNumbers Create(ref Region region, ulong size)
    {
        GroupNumbers numbers = new() { Size = size, _map = region.AllocateZeroed((long)(size + 2) * sizeof(uint)) };
        numbers[numbers.DiscardedAt] = Discarded;
        return numbers;
    }

    /// <summary>Makes a map of so many indexes that is not cleared yet.</summary>
    internal static GroupNumbers CreateUncleared(ref Region region, ulong size) => new() { Size = size, _map = region.Allocate((long)size * sizeof(uint)) };

    /// <summary>What an index holds.</summary>
    public readonly unsafe ref uint this[ulong index]
    {
        // SAFETY: callers pass indexes below Size, or one of the two behind, for which the map has room.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref ((uint*)_map)[index];
    }
}
