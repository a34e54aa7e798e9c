using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Runs of neighbours with one key are listed once, and each row has the number of its run.</summary>
public sealed class BatchGroupsTests
{
    [Theory]
    [InlineData(0, 8), InlineData(1, 8), InlineData(10, 8), InlineData(60, 8), InlineData(100, 8), InlineData(0, 128), InlineData(60, 128)]
    public void Each_row_has_the_run_of_its_key(int percentOfGaps, int stride)
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

            for (uint i = 0, slot = 11; i < count; i++, slot += random.Next(100) < percentOfGaps ? (uint)random.Next(2, 4) : 1)
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

    /// <summary>A key may become any other between two loads; the complement is what no first key was thought to be.</summary>
    [Theory]
    [InlineData(3, 8, 1), InlineData(24, 8, 1), InlineData(24, 8, 2), InlineData(24, 24, 1)]
    public void The_first_row_begins_a_run_while_a_writer_turns_its_key_over(int count, int stride, int step)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        ulong column = region.AllocateZeroed(count * (long)stride * step), selection = region.Allocate(ScanBatch.SelectionBytes);
        // Room before the list shows what is written there.
        ulong room = region.AllocateZeroed(ScanBatch.SelectionBytes + 128), list = room + 64;
        for (uint row = 0; row < count; row++)
        {
            uint slot = row * (uint)step;
            KernelMemory.Write(column + (slot * (ulong)stride), 1000UL + slot);
            KernelMemory.Write(selection + (row * sizeof(uint)), slot);
        }

        using ManualResetEventSlim end = new();
        Thread writer = new(() =>
        {
            for (ulong key = 5; !end.IsSet; key = ~key)
                KernelMemory.Write(column, key);
        });
        writer.Start();
        try
        {
            long until = Environment.TickCount64 + 1000;
            while (Environment.TickCount64 < until)
            {
                for (int i = 0; i < 1000; i++)
                {
                    int listed = BatchGroups.ListRuns(column, (ulong)stride, selection, count, list);
                    Assert.Equal(count, listed);
                    Assert.Equal(0u, KernelMemory.Read<uint>(selection + ScanBatch.Beside));
                    Assert.Equal(0UL, KernelMemory.Read<ulong>(list - sizeof(ulong)));
                }
            }
        }
        finally
        {
            end.Set();
            writer.Join();
            region.Dispose();
        }
    }
}
