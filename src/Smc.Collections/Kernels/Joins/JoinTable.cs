using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The heads of the chains of a join's hash table. The rows lie in a list of the kernel's; number 0 stands for none. Multiplicative hash, at most one row per head on average.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct JoinTable
{
    private ulong _heads;
    private int _shift;

    /// <summary>A table for so many rows.</summary>
    public static JoinTable Create(ref Region region, int rows)
    {
        int bits = Math.Max(4, BitOperations.Log2((uint)Math.Max(rows, 1)) + 1);
        return new JoinTable { _heads = region.AllocateZeroed((1L << bits) * sizeof(int)), _shift = 64 - bits };
    }

    /// <summary>Puts a row before the others with its hash and returns the one that was first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly unsafe int Push(uint hash, int row)
    {
        ref int head = ref ((int*)_heads)[GroupHashTable.Spread(hash) >> _shift]; // SAFETY: the shift leaves as many bits as there are heads.
        int next = head;
        head = row;
        return next;
    }

    /// <summary>The first row whose hash can be this one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly unsafe int First(uint hash) => ((int*)_heads)[GroupHashTable.Spread(hash) >> _shift]; // SAFETY: as in Push.
}
