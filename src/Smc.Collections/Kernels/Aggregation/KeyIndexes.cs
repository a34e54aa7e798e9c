using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Smc.Collections.Kernels;

/// <summary>Grouping by integer-like columns with few combinations, a batch at a time: columns to combination numbers (16 bits each), and those to where a group's lanes are.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class KeyIndexes
{
    /// <summary>Adds a key column's part to the numbers of a batch; the first key sets them.</summary>
    /// <safety><paramref name="column"/> and <paramref name="indexes"/> have <paramref name="rows"/> values, rounded up to 64.</safety>
    public static void Add<T>(ulong column, int rows, ulong indexes, in KeyDomain domain, int key)
        where T : unmanaged, IBinaryInteger<T>
    {
        ushort minimum = unchecked((ushort)domain.Minimum(key)), step = (ushort)domain.Step(key);
        if (Unsafe.SizeOf<T>() == sizeof(ushort))
            AddWords(column, rows, indexes, minimum, step, key == 0);
        else
            AddAny<T>(column, rows, indexes, minimum, step, key == 0);
    }

    /// <summary>Gives the rows that are not in the bitmap the number of discarded rows.</summary>
    /// <safety>As <see cref="Add{T}"/>; <paramref name="bitmap"/> covers the batch.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe void Discard(ulong bitmap, int rows, ulong indexes, ushort discarded)
    {
        // SAFETY: the caller's promise; 16 rows at a time stay within the rounded-up batch.
        Vector256<ushort> bits = Vector256.Create((ushort)1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768);
        Vector256<ushort> replacement = Vector256.Create(discarded);
        ushort* words = (ushort*)bitmap;
        ushort* index = (ushort*)indexes;
        for (int i = 0; i < rows; i += 16, index += 16)
        {
            Vector256<ushort> kept = Vector256.Equals(Vector256.Create(*words++) & bits, bits);
            Vector256.Store(Vector256.ConditionalSelect(kept, Vector256.Load(index), replacement), index);
        }
    }

    /// <summary>Turns numbers into byte offsets of groups' lanes; false when a number has no group yet.</summary>
    /// <safety>As <see cref="Add{T}"/>; every number is an index of <paramref name="numbers"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe bool TryTranslate(ulong indexes, int rows, in GroupNumbers numbers, int laneBytes, ulong offsets)
    {
        // SAFETY: the caller's promise; rows are rounded up to the four of a step, whose indexes Discard has set.
        uint* map = (uint*)numbers.Address;
        ushort* index = (ushort*)indexes;
        ushort* offset = (ushort*)offsets;
        uint smallest = uint.MaxValue;
        uint bytes = (uint)laneBytes;
        for (nint i = 0; i < ((rows + 3) & ~3); i++)
        {
            uint entry = map[(nuint)index[i]];
            smallest = Math.Min(smallest, entry);
            offset[i] = (ushort)(entry * bytes);
        }

        return smallest != GroupNumbers.None;
    }

    /// <summary>Adds a group for every number of the batch that has none; its key words are the values of the combination.</summary>
    /// <safety>As <see cref="TryTranslate"/>.</safety>
    public static unsafe void AddMissing(ulong indexes, int rows, ref GroupNumbers numbers, in KeyDomain domain, int keys, ref GroupRecords groups, ref Smc.Memory.Region region)
    {
        ushort* index = (ushort*)indexes; // SAFETY: the caller's promise.
        for (nint i = 0; i < rows; i++)
        {
            if (numbers[index[i]] == GroupNumbers.None)
                AddGroup(index[i], ref numbers, domain, keys, ref groups, ref region);
        }
    }

    /// <summary>Adds the group of a combination and returns its address.</summary>
    public static ulong AddGroup(ulong index, ref GroupNumbers numbers, in KeyDomain domain, int keys, ref GroupRecords groups, ref Smc.Memory.Region region)
    {
        numbers[index] = (uint)groups.Count + GroupNumbers.FirstGroup;
        ulong group = groups.Add(ref region);
        for (int key = 0; key < keys; key++)
            KernelMemory.Write(group + (ulong)(key * sizeof(long)), domain.ValueOf(key, (long)index));
        return group;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void AddWords(ulong column, int rows, ulong indexes, ushort minimum, ushort step, bool isFirst)
    {
        Vector256<ushort> least = Vector256.Create(minimum), factor = Vector256.Create(step);
        ushort* value = (ushort*)column;
        ushort* index = (ushort*)indexes;
        for (int i = 0; i < rows; i += 16, value += 16, index += 16)
        {
            Vector256<ushort> part = (Vector256.Load(value) - least) * factor;
            Vector256.Store(isFirst ? part : part + Vector256.Load(index), index);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void AddAny<T>(ulong column, int rows, ulong indexes, ushort minimum, ushort step, bool isFirst)
        where T : unmanaged, IBinaryInteger<T>
    {
        T* value = (T*)column;
        ushort* index = (ushort*)indexes;
        for (nint i = 0; i < rows; i++)
        {
            ushort part = unchecked((ushort)((ushort.CreateTruncating(value[i]) - minimum) * step));
            index[i] = isFirst ? part : unchecked((ushort)(part + index[i]));
        }
    }
}
