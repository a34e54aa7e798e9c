using System.Numerics;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>A whole column that is looked up at once keeps the rows that a look at each value keeps.</summary>
public sealed class NumberLookUpTests
{
    private const int Rows = 700;
    private const int First = 128;

    [Theory]
    [InlineData(0, 300)]
    [InlineData(-150, 300)]
    [InlineData(int.MinValue, 63)]
    [InlineData(int.MaxValue - 66, 64)]
    [InlineData(5, 0)]
    public void Integers_of_four_bytes(int least, int size) => Check<int>(least, size, value => unchecked((int)value));

    [Theory]
    [InlineData(0, 300)]
    [InlineData(-150, 300)]
    [InlineData(long.MinValue, 63)]
    [InlineData(long.MaxValue - 642, 640)]
    public void Integers_of_eight_bytes(long least, int size) => Check<long>(least, size, value => value);

    [Fact]
    public void Unsigned_integers_of_four_bytes() => Check<uint>(uint.MaxValue - 320, 320, value => unchecked((uint)value));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void It_says_whether_a_value_is_no_number(bool hasForeign)
    {
        if (!NumberLookUp.IsPossible<long>(sizeof(long), 64))
            return;
        Region region = new(MemoryManager.Default);
        ulong column = region.Allocate(64 * sizeof(long)), bits = region.AllocateZeroed(2 * sizeof(ulong)), bitmap = region.AllocateZeroed(sizeof(ulong));
        for (int i = 0; i < 64; i++)
            KernelMemory.Write<long>(column + ((ulong)i * sizeof(long)), hasForeign && i == 37 ? 64 : i);
        // The bit behind the last keeps what is no number.
        KernelMemory.Write(bits + sizeof(ulong), 1UL);
        RowBitmap.Fill(bitmap, 64);
        Assert.Equal(!hasForeign, NumberLookUp.Keep<long>(bits, 0, 64, 0, column, 0, 64, bitmap));
        Assert.Equal(hasForeign ? 1UL << 37 : 0, KernelMemory.Read<ulong>(bitmap));
        region.Dispose();
    }

    [Theory]
    [InlineData(0, 300)]
    [InlineData(-40, 300)]
    [InlineData(25, 60)]
    [InlineData(400, 300)]
    [InlineData(-300, 300)]
    [InlineData(0, 4096)]
    [InlineData(-3000, 4096)]
    [InlineData(2000, 4095)]
    [InlineData(0, BitPages.MostBits)]
    [InlineData(0, BitPages.MostBits + 1)]
    [InlineData(-7000, 60000)]
    public void Codes_are_looked_up_as_the_values_that_they_tell(int firstNumber, int size) => CheckCodes(firstNumber, size, _ => 0, size);

    [Theory]
    [InlineData(0, 60000, 500)]
    [InlineData(-7000, 60000, 1)]
    [InlineData(3, 65000, 3000)]
    [InlineData(0, 60000, 30000)]
    public void Codes_of_a_batch_may_lie_near_each_other_in_a_large_table(int firstNumber, int size, int spread) =>
        CheckCodes(firstNumber, size, row => row * ((size - spread) / 4000), spread);

    private static void CheckCodes(int firstNumber, int size, Func<int, int> origin, int spread)
    {
        // Codes stay unknown: nothing is done in the background.
        using Collection<Measure> rows = new(new CollectionOptions { BlockCapacity = 64 * 20, CompactionOccupancy = 0 });
        Random random = new(firstNumber);
        HashSet<long> members = [.. Enumerable.Range(0, size).Where(_ => random.Next(3) == 0).Select(number => (long)number)];
        // The first block gives the second its scale: from the first number on.
        rows.Add(large: 0, small: firstNumber, unsigned: 0);
        for (int i = 1; i < 64 * 20; i++)
            rows.Add(large: 0, small: firstNumber + random.Next(size), unsigned: 0);
        List<Measure> second = [.. Enumerable.Range(0, 1000).Select(row => rows.Add(large: 0, small: firstNumber + origin(row) + random.Next(spread + 10), unsigned: 0))];
        foreach (Measure row in second.Where(_ => random.Next(8) == 0))
            row.Set(small: firstNumber + random.Next(size + 10));
        Region region = new(MemoryManager.Default);
        ulong flags = region.AllocateZeroed(size + 1), bits = NumberLookUp.AllocateBits(ref region, (ulong)size), bitmap = region.Allocate(ScanBatch.BitmapBytes);
        foreach (long member in members.Append(size))
        {
            KernelMemory.Write(flags + (ulong)member, TargetRows.True);
            ulong word = bits + (ulong)(member / 64 * sizeof(ulong));
            KernelMemory.Write(word, KernelMemory.Read<ulong>(word) | (1UL << (int)(member % 64)));
        }

        using CriticalSection section = CriticalSection.Enter();
        MemoryContext context = CollectionAccess.Context(rows);
        ColumnLayout column = Array.Find(context.Layout.Columns.ToArray(), c => c.Name == "Small")!;
        ulong block = context.Blocks[1].Address;
        BlockNumbers numbers = BlockNumbers.Of(block, (ulong)column.ZoneMapOffset, (ulong)column.Offset, (ulong)column.Stride, 0, (ulong)size, 0);
        Assert.NotEqual(0UL, numbers.Codes);
        RowBitmap.Fill(bitmap, Rows);
        int open = NumberLookUp.KeepByFlags<int>(flags, numbers, 0, (ulong)size, 0, First, Rows, bitmap, out bool hasOthers);
        CheckKept(hasOthers);
        RowBitmap.Fill(bitmap, Rows);
        Assert.Equal(open, NumberLookUp.KeepByCodes<int>(bits, flags, numbers, 0, (ulong)size, 0, First, Rows, bitmap, out hasOthers));
        CheckKept(hasOthers);
        if (BitPages.AreSupported)
        {
            // Codes outside of a window are those of rows that are looked at themselves.
            CodeWindow window = CodeWindow.Of(numbers, (ulong)size, First, Rows / 2);
            if (spread < size)
                Assert.Equal(spread < BitPages.MostBits, window.IsNarrow);
            if (window.IsNarrow)
            {
                // What a flag says beside its lowest bit, as that of a row without an answer does, is not looked at.
                for (ulong number = 0; number <= (ulong)size; number++)
                    KernelMemory.Write(flags + number, (byte)(KernelMemory.Read<byte>(flags + number) | 6));
                RowBitmap.Fill(bitmap, Rows);
                NumberLookUp.KeepByPages<int>(bits, flags, numbers, window, 0, (ulong)size, 0, First, Rows, bitmap, out hasOthers);
                CheckKept(hasOthers);
            }
        }

        region.Dispose();

        void CheckKept(bool saysOthers)
        {
            bool hasAny = false;
            for (int row = 0; row < Rows; row++)
            {
                long value = second[First + row].Small;
                bool isNumber = value >= 0 && value < size;
                hasAny |= !isNumber;
                Assert.Equal(members.Contains(value) || !isNumber, RowBitmap.Contains(bitmap, (ulong)row));
            }

            Assert.Equal(hasAny, saysOthers);
        }
    }

    private void Check<T>(long least, int size, Func<long, T> store)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (!NumberLookUp.IsPossible<T>((ulong)Unsafe.SizeOf<T>(), (ulong)size))
            return;
        Region region = new(MemoryManager.Default);
        Random random = new(size);
        ulong width = (ulong)Unsafe.SizeOf<T>(), slots = First + Rows + 64;
        ulong column = region.Allocate((long)(slots * width)), bits = region.AllocateZeroed(((size / 64) + 1) * sizeof(ulong)), bitmap = region.Allocate(ScanBatch.BitmapBytes);
        HashSet<long> members = [];
        for (int number = 0; number < size; number++)
        {
            if (random.Next(3) != 0)
                continue;
            members.Add(least + number);
            ulong word = bits + (ulong)(number / 64 * sizeof(ulong));
            KernelMemory.Write(word, KernelMemory.Read<ulong>(word) | (1UL << (number % 64)));
        }

        T[] values = new T[slots];
        for (int slot = 0; slot < values.Length; slot++)
        {
            values[slot] = store(random.Next(8) == 0 ? random.NextInt64(long.MinValue, long.MaxValue) & Mask<T>() : unchecked(least + random.Next(-2, size + 2)));
            KernelMemory.Write(column + ((ulong)slot * width), values[slot]);
        }

        RowBitmap.Fill(bitmap, Rows);
        // Words without rows stay without.
        KernelMemory.Write(bitmap + (3 * sizeof(ulong)), 0UL);
        NumberLookUp.Keep<T>(bits, unchecked((ulong)least), (ulong)size, 0, column, First, Rows, bitmap);
        for (int row = 0; row < Rows; row++)
        {
            bool isMember = members.Contains(unchecked((long)ulong.CreateTruncating(long.CreateTruncating(values[First + row]))));
            Assert.Equal(isMember && row / 64 != 3, RowBitmap.Contains(bitmap, (ulong)row));
        }

        region.Dispose();
    }

    private static long Mask<T>() => typeof(T) == typeof(long) ? long.MaxValue : uint.MaxValue;
}
