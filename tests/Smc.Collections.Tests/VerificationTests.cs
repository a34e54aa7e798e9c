using Smc.Memory;
using Smc.Memory.Reachability;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>A row of large graphs.</summary>
[Tabular]
public readonly partial struct Link
{
    public partial Link? Next { get; set; }
    public partial Link? Other { get; set; }
}

/// <summary>What it takes to verify references, where a million rows are retired and nothing leads to them. Alone, because a scan makes writers of all collections look closer.</summary>
[Collection("Alone")]
public sealed class VerificationTests : IDisposable
{
    private const int Rows = 1_000_000;

    private readonly MemoryManager _manager = new(new MemoryManagerOptions { Retired = RetireBudget.OnDemand });
    private readonly Collection<Link> _links;

    /// <summary>Half of the rows are a list, which is one path of half a million steps. The others are rings of two, each of which leads to the list, and one row that refers to itself.</summary>
    public VerificationTests()
    {
        _links = new Collection<Link>(new CollectionOptions { Manager = _manager });
        Link last = default;
        for (int i = 0; i < Rows / 2; i++)
            last = _links.Add(next: i == 0 ? null : last, other: null);
        for (int i = 0; i < (Rows / 4) - 1; i++)
        {
            Link one = _links.Add(next: last, other: null), two = _links.Add(next: one, other: last);
            one.Other = two;
        }

        _links.Add(next: null, other: null);
        Link own = _links.Add(next: null, other: last);
        own.Next = own;
        _links.RetireWhere(static _ => true);
    }

    public void Dispose() => _manager.Dispose();

    [Fact]
    public void Managed_memory_does_not_grow_with_the_orphans_but_for_the_bits_and_incarnations_of_a_scan_which_are_charged()
    {
        // Once for what is made once.
        Assert.Equal((Rows, (Rows / 2) - 1), Verify());
        long charged = 0;
        _manager.Budget.Fault = bytes =>
        {
            charged += bytes;
            return false;
        };
        _manager.RegionChunks.Trim();
        long regions = _manager.RegionChunks.MappedBytes, before = GC.GetAllocatedBytesForCurrentThread();

        Assert.Equal((Rows, (Rows / 2) - 1), Verify());

        long allocated = GC.GetAllocatedBytesForCurrentThread() - before, native = _manager.RegionChunks.MappedBytes - regions;
        // All that was taken in native memory is kept for the next region, and the rest of what was charged is the scan's.
        Assert.InRange(native, 24L * Rows, 32L * Rows);
        Assert.InRange(charged - native, 4L * Rows, 6L * Rows);
        Assert.InRange(allocated, 0, charged - native + (64 * 1024));
    }

    [Fact]
    public void Where_the_limit_leaves_no_memory_the_exception_says_for_what_and_all_is_given_back()
    {
        _manager.RegionChunks.Trim();
        long mapped = _manager.MappedBytes;
        _manager.Budget.Fault = static bytes => bytes >= 16L * Rows;
        OffHeapMemoryException refused = Assert.Throws<OffHeapMemoryException>(() => Verify());
        _manager.RegionChunks.Trim();

        Assert.Contains("the cycles among 1,000,000 retired rows that no stored reference leads to takes 24,000,000 bytes", refused.Message, StringComparison.Ordinal);
        Assert.Equal(mapped, _manager.MappedBytes);
        _manager.Budget.Fault = null;
        Assert.Equal((Rows, (Rows / 2) - 1), Verify());
        Assert.Equal(Rows, _manager.CollectRetired().Removed);
        Assert.Equal((0, 0), Verify());
    }

    [Fact]
    public async Task It_ends_early_when_told()
    {
        using CancellationTokenSource cancellation = new();
        Task<ReferenceReport> report = _manager.VerifyReferencesAsync(new Cancels(cancellation), cancellation.Token);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => report);
        Assert.Equal((Rows, (Rows / 2) - 1), Verify());
    }

    private (long Orphaned, long Cyclic) Verify()
    {
        ReferenceReport report = ReachabilityScan.Verify(_manager, progress: null, CancellationToken.None);
        return (report.Orphaned, report.Cyclic);
    }

    private sealed class Cancels(CancellationTokenSource source) : IProgress<ScanProgress>
    {
        public void Report(ScanProgress value) => source.Cancel();
    }
}
