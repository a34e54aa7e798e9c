namespace Smc.Memory.Tests;

/// <summary>Rows whose handle works before anybody else sees them.</summary>
public sealed class DraftTests
{
    [Fact]
    public void A_draft_is_found_through_its_handle_and_not_by_a_scan()
    {
        using TestTable table = new();
        using CriticalSection section = CriticalSection.Enter();
        RowSlot row = table.Context.Allocator.Allocate();
        ulong handle = table.Context.Publisher.PublishHidden(row);
        table.Write(row, 3);
        Assert.True(table.TryRead(handle, out long key, out _));
        Assert.Equal(3, key);
        Assert.Empty(table.Scan());
        Assert.Equal(0, table.Context.Count);
        Assert.Equal(handle, table.Context.Publisher.Reveal(row, ReferenceBarrier.Verdicts));
        Assert.Equal([3L], table.Scan());
        table.Check();
    }

    [Fact]
    public void A_draft_that_is_withdrawn_was_never_there()
    {
        using TestTable table = new();
        ulong handle;
        using (CriticalSection.Enter())
        {
            RowSlot row = table.Context.Allocator.Allocate();
            handle = table.Context.Publisher.PublishHidden(row);
            table.Write(row, 3, "a text that needs a chunk");
            table.Context.Publisher.Withdraw(row);
        }
        Assert.False(Handle.IsAlive(handle));
        Assert.Empty(table.Scan());
        Assert.Equal(0, table.Context.Count);
        table.Check();
    }

    [Fact]
    public void A_draft_that_was_removed_cannot_be_revealed()
    {
        using TestTable table = new();
        using (CriticalSection.Enter())
        {
            RowSlot row = table.Context.Allocator.Allocate();
            Assert.True(table.Context.Removal.TryRemove(table.Context.Publisher.PublishHidden(row)));
            Assert.Equal(0UL, table.Context.Publisher.Reveal(row, ReferenceBarrier.Verdicts));
        }
        Assert.Empty(table.Scan());
        Assert.Equal(0, table.Context.Count);
        table.Check();
    }

    [Fact]
    public void A_draft_cannot_be_revealed_after_Dispose()
    {
        TestTable table = new();
        ulong handle;
        using (CriticalSection.Enter())
        {
            RowSlot row = table.Context.Allocator.Allocate();
            handle = table.Context.Publisher.PublishHidden(row);
            table.Dispose();
            Assert.Throws<ObjectDisposedException>(() => table.Context.Publisher.Reveal(row, ReferenceBarrier.Verdicts));
        }
        Assert.False(Handle.IsAlive(handle));
        Assert.Equal(0, table.Context.Count);
    }
}
