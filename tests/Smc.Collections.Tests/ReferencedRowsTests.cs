using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Asking ahead follows references that may be null or of rows that are gone.</summary>
public sealed class ReferencedRowsTests
{
    // An address that belongs to no row is read otherwise: NullReferenceException.
    [Theory]
    [InlineData(1)]
    [InlineData(256)]
    [InlineData(257)]
    [InlineData(1500)]
    public void Null_and_stale_references_lead_nowhere_at_every_level(int rows)
    {
        using MemoryManager manager = new();
        using Collection<Node> nodes = new(new CollectionOptions { Name = "nodes", Manager = manager });
        Random random = new(rows);
        List<Node> all = [];
        for (int i = 0; i < 40_000; i++)
        {
            Node node = nodes.Add(number: i, text: "");
            if (i > 0 && random.Next(8) != 0)
                node.Left = all[random.Next(i)];
            all.Add(node);
        }

        foreach (Node gone in all.Where(_ => random.Next(5) == 0).ToList())
            nodes.Remove(gone);
        ColumnLayout left = CollectionAccess.Context(nodes).Layout.Columns.ToArray().Single(column => column.Name == nameof(Node.Left));
        ulong[] path = [.. Enumerable.Repeat(new[] { (ulong)left.Offset, (ulong)left.Stride }, 3).SelectMany(step => step)];
        Region region = new(manager);
        ulong references = region.Allocate(rows * sizeof(ulong)), selection = region.Allocate((rows * sizeof(uint)) + ScanBatch.Ahead);
        for (int i = 0; i < rows; i++)
        {
            KernelMemory.Write(references + ((ulong)i * sizeof(ulong)), random.Next(9) == 0 ? 0 : RowHandle.ToBits(all[random.Next(all.Count)]));
            KernelMemory.Write(selection + ((ulong)i * sizeof(uint)), (uint)i);
        }

        using (CriticalSection.Enter())
        {
            for (int columns = 1; columns <= 3; columns++)
                Assert.Null(Record.Exception(() => ReferencedRows.Ask(references, sizeof(ulong), selection, rows, path.AsSpan(0, 2 * columns))));
        }

        region.Dispose();
    }
}
