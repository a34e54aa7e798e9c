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
        ulong[] path = Path(nodes, levels: 3);
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
            for (int i = 1; i < rows; i++)
                Assert.Null(Record.Exception(() => ReferencedRows.AskFor(Stored(i), Stored(i - 1), path[0], path[1])));
        }

        region.Dispose();

        ulong Stored(int row) => KernelMemory.Read<ulong>(references + ((ulong)row * sizeof(ulong)));
    }

    // Blocks go, rows move, references lead elsewhere between one level and the next.
    [Fact]
    public void What_it_follows_may_change_move_and_go_meanwhile()
    {
        const int Nodes = 20_000, Steps = 60_000;
        using MemoryManager manager = new();
        using Collection<Node> nodes = new(new CollectionOptions { Name = "nodes", Manager = manager, BlockCapacity = 128 });
        Node[] all = [.. Enumerable.Range(0, Nodes).Select(i => nodes.Add(number: i, text: ""))];
        foreach (Node node in all)
            node.Left = all[node.Number * 7919L % Nodes];
        ulong[] path = Path(nodes, levels: 3);
        Region region = new(manager);
        ulong references = region.Allocate(Nodes * sizeof(ulong)), selection = region.Allocate((Nodes * sizeof(uint)) + ScanBatch.Ahead);
        for (int i = 0; i < Nodes; i++)
        {
            KernelMemory.Write(references + ((ulong)i * sizeof(ulong)), RowHandle.ToBits(all[i]));
            KernelMemory.Write(selection + ((ulong)i * sizeof(uint)), (uint)i);
        }

        Thread writer = new(() =>
        {
            Random random = new(1);
            for (int i = 0; i < Steps; i++)
            {
                ref Node node = ref all[random.Next(Nodes)];
                switch (random.Next(4))
                {
                    case 0:
                        nodes.Remove(node);
                        node = nodes.Add(number: Nodes + i, text: "");
                        break;
                    case 1 when node.IsAlive:
                        node.Left = random.Next(4) == 0 ? null : all[random.Next(Nodes)];
                        break;
                    default:
                        KernelMemory.Write(references + ((ulong)random.Next(Nodes) * sizeof(ulong)), RowHandle.ToBits(node));
                        break;
                }

                if (i % (Steps / 20) == 0)
                    nodes.Compact(new CompactionOptions { Occupancy = 0.95, TimeLimit = TimeSpan.FromMilliseconds(50) });
            }
        });
        writer.Start();
        do
        {
            using CriticalSection section = CriticalSection.Enter();
            Assert.Null(Record.Exception(() => ReferencedRows.Ask(references, sizeof(ulong), selection, Nodes, path)));
        }
        while (!writer.Join(0));
        region.Dispose();
    }

    private static ulong[] Path(Collection<Node> nodes, int levels)
    {
        ColumnLayout left = CollectionAccess.Context(nodes).Layout.Columns.ToArray().Single(column => column.Name == nameof(Node.Left));
        return [.. Enumerable.Repeat(new[] { (ulong)left.Offset, (ulong)left.Stride }, levels).SelectMany(step => step)];
    }
}
