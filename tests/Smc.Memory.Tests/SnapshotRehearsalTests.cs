using System.Runtime;
using Smc.Memory.Allocation;
using Smc.Memory.Snapshots;
using Xunit;

namespace Smc.Memory.Tests;

/// <summary>What is done before the first snapshot of the process, so that no writer waits for the compiler.</summary>
public sealed class SnapshotRehearsalTests
{
    [Fact]
    public void A_snapshot_comes_after_the_rehearsal_and_the_first_writer_under_it_compiles_nothing()
    {
        using TestTable table = new();
        table.Add(1);
        using MemorySnapshot snapshot = MemorySnapshot.Take([table.Context], TimeSpan.FromSeconds(10), maxBytes: null, CancellationToken.None);
        Assert.True(SnapshotRehearsal.IsDone);

        ulong block;
        using (CriticalSection section = CriticalSection.Enter()) block = table.Context.Blocks[0];
        long before = JitInfo.GetCompiledMethodCount(currentThread: true);
        using (WriteSection section = WriteSection.Enter()) table.Context.Prepare(block);
        long compiled = JitInfo.GetCompiledMethodCount(currentThread: true) - before;

        Assert.Equal(0, compiled);
        Assert.True(table.Context.Versions.Bytes > 0);
    }

    [Fact]
    public void The_rehearsal_leaves_no_manager_behind()
    {
        SnapshotRehearsal.Hold();

        Assert.DoesNotContain(ManagerRegistry.All, static known => known.TryGetTarget(out MemoryManager? manager) && manager.Name.StartsWith("rehearsal", StringComparison.Ordinal) && manager.Contexts.Length > 0);
    }
}
