using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Runs of neighbours with one key are listed once, and each row has the number of its run.</summary>
public sealed class BatchGroupsTests
{
    [Theory]
    [InlineData(true, 8), InlineData(false, 8), InlineData(true, 128), InlineData(false, 128)]
    public void Each_row_has_the_run_of_its_key(bool isDense, int stride)
    {
        using MemoryManager manager = new();
        Random random = new(3);
        foreach (int count in (int[])[0, 1, 7, 8, 9, 63, 64, 65, 500, 1023, 1024, 1500])
        {
            Region region = new(manager);
            ulong column = region.Allocate(5000L * stride), selection = region.Allocate(ScanBatch.SelectionBytes), list = region.Allocate(ScanBatch.SelectionBytes + 64);
            for (ulong slot = 0, key = 1; slot < 5000; slot++)
            {
                key = random.Next(3) == 0 ? (ulong)random.Next(50) : key;
                KernelMemory.Write(column + (slot * (ulong)stride), key);
            }

            for (uint i = 0, slot = 11; i < count; i++, slot += isDense ? 1 : (uint)random.Next(1, 4))
                KernelMemory.Write(selection + (i * sizeof(uint)), slot);
            int listed = BatchGroups.ListRuns(column, (ulong)stride, selection, count, list);

            int run = -1;
            ulong before = 0;
            for (int i = 0; i < count; i++)
            {
                ulong next = selection + ((ulong)i * sizeof(uint)), key = KernelMemory.Read<ulong>(column + (KernelMemory.Read<uint>(next) * (ulong)stride));
                run += i == 0 || key != before ? 1 : 0;
                Assert.Equal((uint)run, KernelMemory.Read<uint>(next + ScanBatch.Beside));
                Assert.Equal(key, KernelMemory.Read<ulong>(list + ((ulong)run * sizeof(ulong))));
                before = key;
            }

            Assert.Equal(run + 1, listed);
            region.Dispose();
        }
    }
}
