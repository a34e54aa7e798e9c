using Smc.Memory.Regions;

namespace Smc.Memory.Tests;

public sealed class RegionTests
{
    [Fact]
    public unsafe void Memory_is_aligned_and_does_not_overlap()
    {
        using MemoryManager manager = new();
        using Region region = new(manager);
        List<(ulong Start, long Bytes)> parts = [];
        Random random = new(5);
        for (int i = 0; i < 500; i++)
        {
            long bytes = random.Next(20) == 0 ? random.Next(1, 3_000_000) : random.Next(1, 3000);
            ulong address = region.Allocate(bytes);
            Assert.Equal(0UL, address % 64);
            *(byte*)address = *((byte*)address + bytes - 1) = 1;
            parts.Add((address, bytes));
        }
        parts.Sort();
        for (int i = 1; i < parts.Count; i++) Assert.True(parts[i - 1].Start + (ulong)parts[i - 1].Bytes <= parts[i].Start);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    [InlineData(100_000)]
    [InlineData(9_000_000)]
    public unsafe void Zeroed_memory_is_zero_also_when_the_chunk_was_used_before(long bytes)
    {
        using MemoryManager manager = new();
        for (int round = 0; round < 3; round++)
        {
            using Region region = new(manager);
            region.Allocate(1000 * round);
            Span<byte> memory = new((void*)region.AllocateZeroed(bytes), (int)bytes);
            Assert.False(memory.ContainsAnyExcept((byte)0));
            memory.Fill(0xFF);
        }
    }

    [Fact]
    public void Nothing_is_mapped_before_the_first_allocation()
    {
        using MemoryManager manager = new();
        using Region region = new(manager);
        region.Allocate(0);
        region.AllocateZeroed(0);
        Assert.Equal(0, manager.MappedBytes);
    }

    [Fact]
    public void A_repeated_query_maps_nothing_new()
    {
        using MemoryManager manager = new();
        Use(manager);
        long mapped = manager.MappedBytes;
        for (int i = 0; i < 10; i++) Use(manager);
        Assert.Equal(mapped, manager.MappedBytes);
        Assert.Equal(mapped, manager.Usage.Regions);
        Assert.Equal(manager.Usage.Total, manager.Usage.Mapped);
        manager.TrimExcess();
        Assert.Equal(0, manager.MappedBytes);

        static void Use(MemoryManager manager)
        {
            using Region region = new(manager);
            region.Allocate(10);
            region.Allocate(200_000);
            region.Allocate(5_000_000);
        }
    }

    [Fact]
    public void A_query_allocates_nothing_on_the_managed_heap()
    {
        using MemoryManager manager = new();
        Use(manager);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Use(manager);
        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());

        static void Use(MemoryManager manager)
        {
            using Region region = new(manager);
            for (int i = 0; i < 100; i++) region.Allocate(5000);
        }
    }

    [Fact]
    public void A_region_that_outlives_its_manager_gives_its_memory_back()
    {
        MemoryManager manager = new();
        Region region = new(manager);
        region.Allocate(1000);
        manager.Dispose();
        region.Dispose();
        Assert.Equal(0, manager.MappedBytes);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    public unsafe void What_a_region_adopts_lives_as_long_as_it_does(int allocationsBefore)
    {
        using MemoryManager manager = new();
        List<ulong> addresses = [];
        using (Region region = new(manager))
        {
            for (int i = 0; i < allocationsBefore; i++) addresses.Add(region.Allocate(100_000));
            Region other = new(manager);
            for (int i = 0; i < 5; i++) addresses.Add(other.Allocate(100_000));
            long bytes = region.AllocatedBytes + other.AllocatedBytes;
            region.Adopt(ref other);
            Assert.Equal((bytes, 0), (region.AllocatedBytes, other.AllocatedBytes));
            other.Dispose();
            addresses.Add(region.Allocate(100_000));
            for (int i = 0; i < addresses.Count; i++) new Span<byte>((void*)addresses[i], 100_000).Fill((byte)i);
            Assert.All(addresses, (address, i) => Assert.False(new Span<byte>((void*)address, 100_000).ContainsAnyExcept((byte)i)));
        }
        manager.TrimExcess();
        Assert.Equal(0, manager.MappedBytes);
    }

    [Fact]
    public void An_empty_region_is_adopted_without_a_trace()
    {
        using MemoryManager manager = new();
        using Region region = new(manager);
        Region empty = new(manager);
        region.Adopt(ref empty);
        Assert.Equal(0, manager.MappedBytes);
    }

    [Fact]
    public void A_negative_size_is_refused()
    {
        using MemoryManager manager = new();
        Assert.Throws<ArgumentOutOfRangeException>(() =>
        {
            using Region region = new(manager);
            region.Allocate(-1);
        });
    }

    [Fact]
    public void The_limit_holds_and_says_what_to_do()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = 1 << 20 });
        OffHeapMemoryException problem = Assert.Throws<OffHeapMemoryException>(() =>
        {
            using Region region = new(manager);
            region.Allocate(2 << 20);
        });
        Assert.Contains("MemoryManagerOptions.Limit", problem.Message, StringComparison.Ordinal);
        Assert.Equal(0, manager.MappedBytes);
    }

    [Fact]
    public void Kept_chunks_give_way_when_the_limit_is_reached()
    {
        using MemoryManager manager = new(new MemoryManagerOptions { Limit = 1 << 20 });
        using (Region region = new(manager)) region.Allocate(500_000);
        using TestTable table = new(manager: manager, slotsPerBlock: 64);
        for (int i = 0; i < 64 * 6; i++) table.Add(i);
        Assert.True(manager.MappedBytes <= 1 << 20);
        table.Check();
    }

    [Fact]
    public void What_queries_ask_for_now_stays_and_what_was_kept_longest_goes()
    {
        using MemoryManager manager = new();
        Region first = new(manager), second = new(manager), third = new(manager);
        first.Allocate(RegionChunkCache.MaxKept / 3);
        second.Allocate(RegionChunkCache.MaxKept / 4);
        third.Allocate(RegionChunkCache.MaxKept / 2);
        first.Dispose();
        second.Dispose();
        third.Dispose();
        long kept = manager.MappedBytes;
        Assert.InRange(kept, RegionChunkCache.MaxKept / 2, RegionChunkCache.MaxKept);
        using (Region again = new(manager)) again.Allocate(RegionChunkCache.MaxKept / 2);
        Assert.Equal(kept, manager.MappedBytes);
    }
}
