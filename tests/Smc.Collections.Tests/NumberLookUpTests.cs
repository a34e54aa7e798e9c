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
    [InlineData(0, 300, true)]
    [InlineData(0, 300, false)]
    [InlineData(-40, 300, true)]
    [InlineData(-40, 300, false)]
    [InlineData(25, 60, false)]
    [InlineData(400, 300, true)]
    [InlineData(400, 300, false)]
    [InlineData(-65_000, 700, true)]
    [InlineData(-65_000, 700, false)]
    public void Codes_are_looked_up_as_the_values_that_they_tell(int firstId, int size, bool keepsOthers)
    {
        Region region = new(MemoryManager.Default);
        Random random = new(firstId);
        ulong codes = region.Allocate((First + Rows + 64) * sizeof(ushort)), flags = region.AllocateZeroed(size + 2), bits = region.AllocateZeroed(((size / 64) + 1) * sizeof(ulong));
        for (int number = 0; number <= size; number++)
        {
            bool isMember = number == size || random.Next(3) == 0;
            KernelMemory.Write(flags + (ulong)number, isMember ? TargetRows.True : TargetRows.False);
            ulong word = bits + (ulong)(number / 64 * sizeof(ulong));
            KernelMemory.Write(word, KernelMemory.Read<ulong>(word) | ((isMember ? 1UL : 0) << (number % 64)));
        }

        ushort[] all = new ushort[First + Rows + 64];
        for (int slot = 0; slot < all.Length; slot++)
        {
            int near = Math.Clamp(ColumnSketch.First - firstId + random.Next(-3, size + 3), ushort.MinValue, ushort.MaxValue);
            all[slot] = random.Next(8) switch { 0 => ColumnSketch.Unknown, 1 => ColumnSketch.Below, 2 => ColumnSketch.Above, 3 => (ushort)random.Next(ushort.MaxValue), _ => (ushort)near };
            KernelMemory.Write(codes + ((ulong)slot * sizeof(ushort)), all[slot]);
        }

        ulong byFlags = region.Allocate(ScanBatch.BitmapBytes), byBits = region.Allocate(ScanBatch.BitmapBytes);
        RowBitmap.Fill(byFlags, Rows);
        RowBitmap.Fill(byBits, Rows);
        NumberLookUp.KeepByFlags(flags, firstId, (uint)size, keepsOthers, codes, First, Rows, byFlags);
        if (NumberLookUp.IsPossibleByCodes((ulong)size))
            NumberLookUp.KeepByCodes(bits, firstId, (uint)size, codes, First, Rows, byBits);
        for (int row = 0; row < Rows; row++)
        {
            int number = firstId + all[First + row] - ColumnSketch.First;
            bool tellsValue = all[First + row] is >= ColumnSketch.First and < ColumnSketch.Above, isNumber = tellsValue && number >= 0 && number < size;
            bool isMember = isNumber && KernelMemory.Read<byte>(flags + (ulong)number) == TargetRows.True;
            Assert.Equal(isMember || !tellsValue || (keepsOthers && !isNumber), RowBitmap.Contains(byFlags, (ulong)row));
            if (NumberLookUp.IsPossibleByCodes((ulong)size))
                Assert.Equal(isMember || !isNumber, RowBitmap.Contains(byBits, (ulong)row));
        }

        region.Dispose();
    }

    [Theory]
    [InlineData(2, true, true)]
    [InlineData(ColumnSketch.Unknown, true, false)]
    [InlineData(ColumnSketch.Unknown, false, false)]
    [InlineData(500, true, false)]
    [InlineData(500, false, true)]
    public void It_says_whether_a_row_was_kept_without_a_number(int code, bool keepsOthers, bool hasAll)
    {
        Region region = new(MemoryManager.Default);
        ulong codes = region.Allocate(64 * sizeof(ushort)), flags = region.AllocateZeroed(102), bitmap = region.AllocateZeroed(sizeof(ulong));
        for (int i = 0; i < 64; i++)
            KernelMemory.Write(codes + ((ulong)i * sizeof(ushort)), (ushort)(i == 37 ? code : ColumnSketch.First + i));
        RowBitmap.Fill(bitmap, 64);
        Assert.Equal(hasAll, NumberLookUp.KeepByFlags(flags, 0, 100, keepsOthers, codes, 0, 64, bitmap));
        Assert.Equal(hasAll ? 0 : 1UL << 37, KernelMemory.Read<ulong>(bitmap));
        region.Dispose();
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
