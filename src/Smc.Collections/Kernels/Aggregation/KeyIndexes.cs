using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Smc.Collections.Kernels;

/// <summary>Grouping by integer-like columns with few combinations, a batch at a time: columns to combination numbers (16 bits each), and those to where a group's lanes are.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class KeyIndexes
{
    /// <summary>What a row's number is until <see cref="Discard"/> when one of its keys lies outside the domain.</summary>
    public const ushort Outside = ushort.MaxValue;

    /// <summary>So many combinations, and the two indexes behind them, are numbers of one byte.</summary>
    private const ulong MostInBytes = 254;

    /// <summary>Adds a key column's part to the numbers of a batch; the first key sets them. A row with a value outside the domain gets the number <see cref="Outside"/> and keeps it.</summary>
    /// <remarks>Each value is loaded once, compared with the key's bounds and then used: writers may change the column meanwhile.</remarks>
    /// <safety><paramref name="column"/> and <paramref name="indexes"/> have <paramref name="rows"/> values, rounded up to 64.</safety>
    public static void Add<T>(ulong column, int rows, ulong indexes, in KeyDomain domain, int key)
        where T : unmanaged, IBinaryInteger<T>
    {
        ushort step = (ushort)domain.Step(key);
        if (Unsafe.SizeOf<T>() == sizeof(ushort))
            AddWords(column, rows, indexes, unchecked((ushort)domain.Minimum(key)), (ushort)domain.Span(key), step, key == 0);
        else
            AddAny<T>(column, rows, indexes, domain.Minimum(key), domain.Span(key), step, key == 0);
    }

    /// <summary>Gives the rows that are not in the bitmap the number of discarded rows, and those of it whose keys lie outside the domain theirs.</summary>
    /// <safety>As <see cref="Add{T}"/>; <paramref name="bitmap"/> covers the batch.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe void Discard(ulong bitmap, int rows, ulong indexes, in GroupNumbers numbers)
    {
        // SAFETY: the caller's promise; 16 rows at a time stay within the rounded-up batch.
        Vector256<ushort> bits = Vector256.Create((ushort)1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768);
        Vector256<ushort> discarded = Vector256.Create((ushort)numbers.DiscardedAt), outside = Vector256.Create((ushort)numbers.OutsideAt);
        ushort* words = (ushort*)bitmap;
        ushort* index = (ushort*)indexes;
        for (int i = 0; i < rows; i += 16, index += 16)
        {
            Vector256<ushort> kept = Vector256.Equals(Vector256.Create(*words++) & bits, bits);
            Vector256.Store(Vector256.ConditionalSelect(kept, Vector256.Min(Vector256.Load(index), outside), discarded), index);
        }
    }

    /// <summary>Turns numbers into byte offsets of groups' lanes; false when a number has no group yet, or a row's keys lie outside the domain.</summary>
    /// <safety>As <see cref="Add{T}"/>; every number is an index of <paramref name="numbers"/>, or one of the two behind.</safety>
    public static bool TryTranslate(ulong indexes, int rows, in GroupNumbers numbers, int laneBytes, ulong offsets)
    {
        int inBytes = Avx512Vbmi.IsSupported && numbers.Size <= MostInBytes ? rows & ~(Vector512<byte>.Count - 1) : 0;
        ulong done = (ulong)inBytes * sizeof(ushort);
        return (inBytes == 0 || TranslateInBytes(indexes, inBytes, numbers, laneBytes, offsets)) && TranslateEach(indexes + done, rows - inBytes, numbers, laneBytes, offsets + done);
    }

    /// <summary>Looks numbers up one at a time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal static unsafe bool TranslateEach(ulong indexes, int rows, in GroupNumbers numbers, int laneBytes, ulong offsets)
    {
        // SAFETY: the caller's promise; rows are rounded up to the four of a step, whose indexes Discard has set.
        uint* map = (uint*)numbers.Address;
        ushort* index = (ushort*)indexes, offset = (ushort*)offsets;
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

    /// <summary>Looks 64 numbers up at a time, in a map of bytes that stays in registers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe bool TranslateInBytes(ulong indexes, int rows, in GroupNumbers numbers, int laneBytes, ulong offsets)
    {
        ushort* index = (ushort*)indexes, offset = (ushort*)offsets; // SAFETY: the caller's promise.
        byte* table = stackalloc byte[256];
        // SAFETY: regions give memory in lines of 64 bytes, which are 16 entries; 256 of them at most. What lies behind the last is looked up by nobody. An entry that does not fit
        // a byte is that of a group beyond LaneSums.MaxGroups: then nobody uses the offsets.
        for (int i = 0; i < (int)numbers.OutsideAt + 1; i += Vector512<uint>.Count)
            Avx512F.ConvertToVector128Byte(Vector512.Load((uint*)numbers.Address + i)).Store(table + i);
        Vector512<byte> first = Vector512.Load(table), second = Vector512.Load(table + 64), third = Vector512.Load(table + 128), fourth = Vector512.Load(table + 192);
        Vector512<byte> missing = default;
        Vector512<ushort> bytes = Vector512.Create((ushort)laneBytes);
        for (nint i = 0; i < rows; i += Vector512<byte>.Count)
        {
            Vector512<byte> at = Vector512.Narrow(Vector512.Load(index + i), Vector512.Load(index + i + Vector512<ushort>.Count));
            Vector512<byte> isUpper = Vector512.LessThan(at.AsSByte(), Vector512<sbyte>.Zero).AsByte();
            Vector512<byte> entry = Vector512.ConditionalSelect(isUpper, Avx512Vbmi.PermuteVar64x8x2(third, at, fourth), Avx512Vbmi.PermuteVar64x8x2(first, at, second));
            missing |= Vector512.Equals(entry, Vector512.Create((byte)GroupNumbers.None));
            (Vector512<ushort> low, Vector512<ushort> high) = Vector512.Widen(entry);
            Vector512.Store(low * bytes, offset + i);
            Vector512.Store(high * bytes, offset + i + Vector512<ushort>.Count);
        }

        return missing == default;
    }

    /// <summary>Adds a group for every number of the batch that has none; its key words are the values of the combination.</summary>
    /// <returns>False when a row's keys lie outside the domain.</returns>
    /// <safety>As <see cref="TryTranslate"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static unsafe bool TryAddMissing(ulong indexes, int rows, in GroupNumbers numbers, in KeyDomain domain, int keys, ref GroupRecords groups, ref Smc.Memory.Region region)
    {
        ushort* index = (ushort*)indexes; // SAFETY: the caller's promise.
        for (nint i = 0; i < rows; i++)
        {
            if (index[i] == numbers.OutsideAt)
                return false;
            if (numbers[index[i]] == GroupNumbers.None)
                AddGroup(index[i], numbers, domain, keys, ref groups, ref region);
        }

        return true;
    }

    /// <summary>Adds the group of a combination and returns its address.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static ulong AddGroup(ulong index, in GroupNumbers numbers, in KeyDomain domain, int keys, ref GroupRecords groups, ref Smc.Memory.Region region)
    {
        numbers[index] = (uint)groups.Count + GroupNumbers.FirstGroup;
        ulong group = groups.Add(ref region);
        for (int key = 0; key < keys; key++)
            KernelMemory.Write(group + (ulong)(key * sizeof(long)), domain.ValueOf(key, (long)index));
        return group;
    }

    // Distances are taken in 16 bits, where those of values below the minimum wrap around and are too large, too. All ones stay all ones when numbers are added with saturation.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void AddWords(ulong column, int rows, ulong indexes, ushort minimum, ushort span, ushort step, bool isFirst)
    {
        Vector256<ushort> least = Vector256.Create(minimum), tooFar = Vector256.Create((ushort)(span + 1)), factor = Vector256.Create(step);
        ushort* value = (ushort*)column;
        ushort* index = (ushort*)indexes;
        for (int i = 0; i < rows; i += 16, value += 16, index += 16)
        {
            KernelMemory.Prefetch((ulong)value + KernelMemory.PageAhead);
            Vector256<ushort> distance = Vector256.Load(value) - least;
            Vector256<ushort> part = (distance * factor) | Vector256.Equals(Vector256.Max(distance, tooFar), distance);
            Vector256.Store(isFirst ? part : AddSaturated(part, Vector256.Load(index)), index);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ushort> AddSaturated(Vector256<ushort> left, Vector256<ushort> right)
    {
        if (Avx2.IsSupported)
            return Avx2.AddSaturate(left, right);
        Vector256<ushort> sum = left + right;
        return sum | Vector256.LessThan(sum, left);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static unsafe void AddAny<T>(ulong column, int rows, ulong indexes, long minimum, ulong span, ushort step, bool isFirst)
        where T : unmanaged, IBinaryInteger<T>
    {
        T* value = (T*)column;
        ushort* index = (ushort*)indexes;
        for (nint i = 0; i < rows; i++)
        {
            ulong distance = unchecked((ulong)long.CreateTruncating(value[i]) - (ulong)minimum);
            uint part = distance <= span ? (uint)distance * step : Outside;
            index[i] = (ushort)Math.Min(isFirst ? part : part + index[i], Outside);
        }
    }
}
