using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Numbers of up to 254 combinations are looked up 64 at a time where the processor can; more combinations, and what is left of a batch, one at a time.</summary>
public sealed class KeyIndexTests
{
    private const int LaneBytes = 24;

    [Theory]
    [InlineData(1, 1)]
    [InlineData(3, 64)]
    [InlineData(62, 1024)]
    [InlineData(130, 1000)]
    [InlineData(254, 1023)]
    [InlineData(255, 1024)]
    [InlineData(2000, 640)]
    public void Every_number_becomes_the_offset_of_its_group(int combinations, int rows)
    {
        Assert.Equal(Translated(combinations, rows, missing: -1, each: true), Translated(combinations, rows, missing: -1, each: false));
        Assert.NotNull(Translated(combinations, rows, missing: -1, each: false));
    }

    [Theory]
    [InlineData(130, 0)]
    [InlineData(130, 63)]
    [InlineData(130, 999)]
    [InlineData(254, 200)]
    [InlineData(255, 200)]
    public void A_number_without_a_group_is_told(int combinations, int missing)
    {
        Assert.Null(Translated(combinations, 1000, missing, each: true));
        Assert.Null(Translated(combinations, 1000, missing, each: false));
    }

    /// <summary>The offsets, or null if a group is missing.</summary>
    /// <param name="missing">A row whose number has no group, or -1.</param>
    private static int[]? Translated(int combinations, int rows, int missing, bool each)
    {
        Region region = new(MemoryManager.Default);
        GroupNumbers numbers = GroupNumbers.Create(ref region, (ulong)combinations);
        ulong indexes = region.AllocateZeroed(ScanBatch.IndexBytes), offsets = region.AllocateZeroed(ScanBatch.IndexBytes);
        for (int i = 0; i < combinations; i++)
            numbers[(ulong)i] = GroupNumbers.FirstGroup + (uint)((combinations - i) * 7 % combinations);
        Random random = new(combinations);
        for (int row = 0; row < ((rows + 3) & ~3); row++)
            KernelMemory.Write(indexes + (ulong)(row * sizeof(ushort)), (ushort)(random.Next(10) == 0 ? numbers.DiscardedAt : (ulong)random.Next(combinations)));
        if (missing >= 0)
            KernelMemory.Write(indexes + (ulong)(missing * sizeof(ushort)), (ushort)numbers.OutsideAt);
        bool hasAll = each
            ? KeyIndexes.TranslateEach(indexes, rows, numbers, LaneBytes, offsets)
            : KeyIndexes.TryTranslate(indexes, rows, numbers, LaneBytes, offsets);
        int[] found = [.. Enumerable.Range(0, rows).Select(row => (int)KernelMemory.Read<ushort>(offsets + (ulong)(row * sizeof(ushort))))];
        region.Dispose();
        return hasAll ? found : null;
    }
}
