using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>
/// Lines are read for a loop only where selected values are neither side by side nor far apart (decision 0042). The column of these tests is at an address where nothing is: to read it would end the process, to
/// ask for it does nothing.
/// </summary>
public sealed class StreamedColumnTests
{
    private const ulong Nowhere = 4096;

    [Theory]
    [InlineData(1000, 1)] // all rows
    [InlineData(1, 1)] // a block with one row
    [InlineData(2, 1)]
    [InlineData(1000, 21)] // 168 bytes apart
    [InlineData(1000, 500)]
    [InlineData(2, 1000)]
    public void Nothing_is_read_of_values_side_by_side_or_far_apart(int count, int step)
    {
        Region region = new(MemoryManager.Default);
        ulong selection = region.Allocate((count * sizeof(uint)) + ScanBatch.Ahead);
        for (int i = 0; i < count; i++)
            KernelMemory.Write(selection + ((ulong)i * sizeof(uint)), i * step);
        ScanBatch.AskForColumn(Nowhere, sizeof(long), selection, count);
        ScanBatch.AskForColumn(Nowhere, sizeof(long), selection, 0);
        region.Dispose();
    }
}
