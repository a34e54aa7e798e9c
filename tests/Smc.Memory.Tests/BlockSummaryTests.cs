using System.Runtime.InteropServices;
using Smc.Memory.Blocks;

namespace Smc.Memory.Tests;

/// <summary>Zone maps and sketches that are written for all rows of a block at once: the same as row by row.</summary>
public sealed class BlockSummaryTests
{
    // Not a multiple of what a vector has.
    private const int Slots = 1003;
    private const int ZoneMap = 64, Nulls = 256, Sketch = 1024, Values = 4096, BlockBytes = 32 * 1024;

    /// <summary>Widths with values between bounds, which may be the least and the greatest of their type.</summary>
    public static TheoryData<int, ZoneKey, ColumnStorage, long, long, bool> Columns()
    {
        TheoryData<int, ZoneKey, ColumnStorage, long, long, bool> columns = [];
        foreach (bool isNullable in new[] { false, true })
        {
            foreach (int width in new[] { 1, 2, 4, 8 })
            {
                long greatest = long.MaxValue >> (64 - 8 * width), unsigned = width == 8 ? -1 : 2 * greatest + 1;
                columns.Add(width, ZoneKey.Signed, ColumnStorage.Plain, -100, 100, isNullable);
                columns.Add(width, ZoneKey.Signed, ColumnStorage.Plain, -greatest - 1, greatest, isNullable);
                columns.Add(width, ZoneKey.Signed, ColumnStorage.Plain, greatest - 5, greatest, isNullable);
                columns.Add(width, ZoneKey.Signed, ColumnStorage.Plain, 7, 7, isNullable);
                columns.Add(width, ZoneKey.Unsigned, ColumnStorage.Plain, 3, 120, isNullable);
                columns.Add(width, ZoneKey.Unsigned, ColumnStorage.Plain, 0, unsigned, isNullable);
            }
            columns.Add(8, ZoneKey.Unsigned, ColumnStorage.Reference, 5L << Handle.IncarnationBits, 60_000L << Handle.IncarnationBits, isNullable);
            columns.Add(8, ZoneKey.Unsigned, ColumnStorage.Reference, 0, 60_000L << Handle.IncarnationBits, isNullable);
            columns.Add(8, ZoneKey.Unsigned, ColumnStorage.Reference, 5L << Handle.IncarnationBits, 60_000_000L << Handle.IncarnationBits, isNullable);
        }
        return columns;
    }

    [Theory]
    [MemberData(nameof(Columns))]
    public unsafe void A_block_is_summarised_as_its_values_are_one_by_one(int width, ZoneKey key, ColumnStorage storage, long least, long greatest, bool isNullable)
    {
        ColumnLayout column = new("A", Values, width, width, storage, isNullable ? Nulls : -1, ZoneMap, key, Sketch);
        void* memory = NativeMemory.AlignedAlloc(BlockBytes, 64);
        try
        {
            NativeMemory.Clear(memory, BlockBytes);
            BlockRef block = new((ulong)memory);
            ZoneView zone = block.Zone(ZoneMap);
            zone.Reset();
            long min = long.MaxValue, max = long.MinValue;
            Random random = new(width + (int)key);
            for (int slot = 0; slot < Slots; slot++)
            {
                bool isNull = isNullable && random.Next(5) == 0;
                long value = slot switch { 0 => least, 1 => greatest, _ => unchecked(least + (long)(random.NextDouble() * (ulong)(greatest - least))) };
                if (isNull) value = random.Next(2);
                new Span<byte>(&value, width).CopyTo(new Span<byte>((byte*)memory + Values + slot * width, width));
                if (isNull) ((byte*)memory + Nulls)[slot / 8] |= (byte)(1 << slot % 8);
                else (min, max) = (Math.Min(min, KeyAt(slot)), Math.Max(max, KeyAt(slot)));
            }

            BlockSummary.Write(block, Slots, column);

            Assert.Equal((min, max), (zone.Min, zone.Max));
            ushort[] codes = new Span<ushort>((void*)zone.Codes, Slots).ToArray();
            Assert.Equal(Enumerable.Range(0, Slots).Select(slot => ColumnSketch.CodeOf(KeyAt(slot), zone.Origin, zone.Shift)), codes);
        }
        finally
        {
            NativeMemory.AlignedFree(memory);
        }

        // The number of a slot in the zone map.
        long KeyAt(int slot)
        {
            byte* at = (byte*)memory + Values + slot * width;
            return (width, key) switch
            {
                (1, ZoneKey.Signed) => *(sbyte*)at,
                (1, _) => *at,
                (2, ZoneKey.Signed) => *(short*)at,
                (2, _) => *(ushort*)at,
                (4, ZoneKey.Signed) => *(int*)at,
                (4, _) => *(uint*)at,
                (_, ZoneKey.Signed) => *(long*)at,
                _ => *(long*)at ^ long.MinValue,
            };
        }
    }
}
