using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Rows of groups that are laid side by side.</summary>
public sealed class ChainedRowsTests
{
    [Theory]
    [InlineData(1_000, 7, false)]
    [InlineData(200_000, 1, false)]
    [InlineData(200_000, 49, true)]
    [InlineData(200_000, 150_000, true)]
    public void Groups_have_the_rows_that_they_had_in_the_same_order(int rows, int groups, bool moves)
    {
        using MemoryManager manager = new();
        Region region = new(manager);
        GroupRecords records = new(8);
        RegionList<Row> list = default;
        list.Add(ref region, default);
        Random random = new(groups);
        List<int>[] expected = [.. Enumerable.Range(0, groups).Select(_ => new List<int>())];
        for (int group = 0; group < groups; group++)
            records.Add(ref region);
        for (int i = 1; i <= rows; i++)
        {
            int group = random.Next(groups);
            expected[group].Add(i);
            list.Add(ref region, new Row { Value = i });
            ulong record = records.At((uint)group);
            int last = KernelMemory.Read<int>(record + 4);
            if (last == 0)
                KernelMemory.Write(record, i);
            else
                list[last].Next = i;
            KernelMemory.Write(record + 4, i);
        }

        ulong before = list.Address;
        ChainedRows.Arrange(ref region, records, 0, ref list);

        Assert.Equal(moves, list.Address != before);
        Assert.Equal(rows + 1, list.Count);
        for (int group = 0; group < groups; group++)
        {
            List<int> found = [];
            int first = KernelMemory.Read<int>(records.At((uint)group)), last = 0;
            for (int at = first; at != 0; last = at, at = list[at].Next)
                found.Add(list[at].Value);
            Assert.Equal(expected[group], found);
            Assert.Equal(last, KernelMemory.Read<int>(records.At((uint)group) + 4));
        }

        region.Dispose();
    }

    private struct Row : IChainedRow
    {
        public int Value;

        public int Next { get; set; }
    }
}
