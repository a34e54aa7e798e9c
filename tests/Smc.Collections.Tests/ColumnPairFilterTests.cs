using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

[Tabular]
public readonly partial struct Tide
{
    public partial int Low { get; set; }

    public partial int High { get; set; }
}

/// <summary>Two columns that are compared whole keep the rows that a look at each pair of values keeps.</summary>
public sealed class ColumnPairFilterTests
{
    private const int Rows = 700;
    private const int First = 128;

    public static TheoryData<int, int> Densities => new() { { 1, 1 }, { 1, 2 }, { 1, 40 }, { 2, 1 }, { 3, 20 } };

    [Theory]
    [MemberData(nameof(Densities))]
    public void Integers_of_one_byte(int apart, int oneOf) => Check<sbyte>(apart, oneOf);

    [Theory]
    [MemberData(nameof(Densities))]
    public void Unsigned_integers_of_two_bytes(int apart, int oneOf) => Check<ushort>(apart, oneOf);

    [Theory]
    [MemberData(nameof(Densities))]
    public void Integers_of_four_bytes(int apart, int oneOf) => Check<int>(apart, oneOf);

    [Theory]
    [MemberData(nameof(Densities))]
    public void Unsigned_integers_of_four_bytes(int apart, int oneOf) => Check<uint>(apart, oneOf);

    [Theory]
    [MemberData(nameof(Densities))]
    public void Integers_of_eight_bytes(int apart, int oneOf) => Check<long>(apart, oneOf);

    private delegate void Filter(in ColumnPair pair, int first, int rows, ulong bitmap);

    [Theory]
    [InlineData(0, 0, 1)]
    [InlineData(0, 40, 1)]
    [InlineData(40, 0, 3)]
    [InlineData(0, 70_000, 1)]
    [InlineData(-70_000, -69_990, 20)]
    public void Codes_decide_as_the_values_that_they_tell(int leftFrom, int rightFrom, int oneOf)
    {
        Random random = new(leftFrom + oneOf);
        // The first block gives the second its scale, which values are below and above at times.
        const int Capacity = 64 * 20;
        using Collection<Tide> tides = new(new CollectionOptions { BlockCapacity = Capacity });
        for (int i = 0; i < Capacity; i++)
            tides.Add(low: leftFrom + random.Next(30), high: rightFrom + random.Next(30));
        Tide[] second = [.. Enumerable.Range(0, Capacity).Select(_ => tides.Add(low: Next(leftFrom), high: Next(rightFrom)))];
        foreach (Tide tide in second.Where(_ => random.Next(8) == 0))
            tide.Set(low: Next(leftFrom));
        foreach (Tide tide in second.Where(_ => random.Next(8) == 0))
            tide.Set(high: Next(rightFrom));
        using CriticalSection section = CriticalSection.Enter();
        MemoryContext context = CollectionAccess.Context(tides);
        ColumnLayout low = Column(context, "Low"), high = Column(context, "High");
        ulong block = context.Blocks[1].Address;
        ColumnPair pair = ColumnPair.Of(block, (ulong)low.ZoneMapOffset, (ulong)low.Offset, (ulong)low.Stride, (ulong)high.ZoneMapOffset, (ulong)high.Offset, (ulong)high.Stride);
        Assert.NotEqual(0UL, pair.LeftCodes);
        Region region = new(MemoryManager.Default);
        ulong bitmap = region.Allocate(ScanBatch.BitmapBytes);
        bool[] held = [.. Enumerable.Range(0, Rows).Select(_ => random.Next(oneOf) == 0)];

        Verify(ColumnPairFilter.KeepLess<int>, static (l, r) => l < r);
        Verify(ColumnPairFilter.KeepLessOrEqual<int>, static (l, r) => l <= r);
        Verify(ColumnPairFilter.KeepEqual<int>, static (l, r) => l == r);
        Verify(ColumnPairFilter.KeepNotEqual<int>, static (l, r) => l != r);
        region.Dispose();

        int Next(int from) => from + random.Next(random.Next(20) == 0 ? 100_000 : 30) - 2;

        void Verify(Filter filter, Func<int, int, bool> expected)
        {
            Hold(bitmap, held);
            filter(pair, First, Rows, bitmap);
            for (int row = 0; row < Rows; row++)
                Assert.Equal(held[row] && expected(second[First + row].Low, second[First + row].High), RowBitmap.Contains(bitmap, (ulong)row));
        }
    }

    private static ColumnLayout Column(MemoryContext context, string name) => Array.Find(context.Layout.Columns.ToArray(), column => column.Name == name)!;

    private static void Hold(ulong bitmap, bool[] held)
    {
        for (int word = 0; word < ScanBatch.BitmapBytes / sizeof(ulong); word++)
        {
            ulong bits = 0;
            for (int bit = 0; bit < 64 && (word * 64) + bit < Rows; bit++)
                bits |= held[(word * 64) + bit] ? 1UL << bit : 0;
            KernelMemory.Write(bitmap + ((ulong)word * sizeof(ulong)), bits);
        }
    }

    private static void Check<T>(int apart, int oneOf)
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        Random random = new(apart + (100 * oneOf));
        Region region = new(MemoryManager.Default);
        ulong width = (ulong)Unsafe.SizeOf<T>(), stride = width * (ulong)apart, slots = First + Rows + 64;
        ulong left = region.Allocate((long)(slots * stride)), right = region.Allocate((long)(slots * width)), bitmap = region.Allocate(ScanBatch.BitmapBytes);
        T[] ofLeft = Values<T>(random, left, stride, (int)slots), ofRight = Values<T>(random, right, width, (int)slots);
        bool[] held = [.. Enumerable.Range(0, Rows).Select(_ => random.Next(oneOf) == 0)];

        Verify(ColumnPairFilter.KeepLess<T>, static (l, r) => l < r);
        Verify(ColumnPairFilter.KeepLessOrEqual<T>, static (l, r) => l <= r);
        Verify(ColumnPairFilter.KeepEqual<T>, static (l, r) => l == r);
        Verify(ColumnPairFilter.KeepNotEqual<T>, static (l, r) => l != r);
        region.Dispose();

        void Verify(Filter filter, Func<T, T, bool> expected)
        {
            Hold(bitmap, held);
            filter(ColumnPair.OfValues(left, stride, right, width), First, Rows, bitmap);
            for (int row = 0; row < Rows; row++)
                Assert.Equal(held[row] && expected(ofLeft[First + row], ofRight[First + row]), RowBitmap.Contains(bitmap, (ulong)row));
        }
    }

    /// <summary>Few values, so that many pairs are equal, and the least and the greatest of the type.</summary>
    private static T[] Values<T>(Random random, ulong column, ulong stride, int slots)
        where T : unmanaged, IBinaryInteger<T>, IMinMaxValue<T>
    {
        T[] values = new T[slots];
        for (int slot = 0; slot < slots; slot++)
        {
            values[slot] = random.Next(6) switch
            {
                0 => T.MinValue,
                1 => T.MaxValue,
                _ => T.CreateChecked(random.Next(4)),
            };
            KernelMemory.Write(column + ((ulong)slot * stride), values[slot]);
        }

        return values;
    }
}
