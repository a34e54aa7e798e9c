using System.Runtime.CompilerServices;
using Smc.Collections;
using Smc.Memory;
using Xunit;

namespace Smc.Data.Tests;

public sealed class DetachedRowsTests : IDisposable
{
    private readonly MemoryManager _manager = new();
    private readonly Collection<Narrow> _rows;

    public DetachedRowsTests() => _rows = new Collection<Narrow>(new CollectionOptions { Manager = _manager });

    public void Dispose() => _manager.Dispose();

    private static NarrowData[] Some(int count) => [.. Enumerable.Range(0, count).Select(i => new NarrowData { Key = i, Text = $"{i}" })];

    [Fact]
    public void A_span_is_added_with_progress()
    {
        Steps steps = new();
        _rows.AddRange(Some(3000).AsSpan(), progress: steps);
        Assert.Equal([1024, 2048, 3000], steps);
        Assert.Equal(3000, _rows.Count);
    }

    [Fact]
    public void A_span_that_is_cancelled_leaves_nothing()
    {
        using CancellationTokenSource source = new();
        Assert.Throws<OperationCanceledException>(() => _rows.AddRange(Some(3000), progress: new Steps(_ => source.Cancel()), cancellationToken: source.Token));
        Assert.Empty(_rows);
    }

    [Fact]
    public void A_sequence_is_added_with_progress()
    {
        Steps steps = new();
        _rows.AddRange(Some(3000).Where(row => row.Key >= 0), steps);
        Assert.Equal([1024, 2048, 3000], steps);
        Assert.Equal(3000, _rows.Count);
    }

    [Fact]
    public void A_sequence_that_is_cancelled_leaves_nothing()
    {
        using CancellationTokenSource source = new();
        Assert.Throws<OperationCanceledException>(() => _rows.AddRange(Some(3000).Where(row => row.Key >= 0), new Steps(_ => source.Cancel()), source.Token));
        Assert.Empty(_rows);
    }

    [Fact]
    public async Task A_sequence_that_is_waited_for_is_added_and_does_not_see_its_rows()
    {
        _rows.AddRange(Some(2000));
        Assert.Equal(2000, await _rows.AddRangeAsync(Existing(), cancellationToken: TestContext.Current.CancellationToken));
        Assert.Equal(4000, _rows.Count);
    }

    [Fact]
    public async Task A_sequence_that_is_waited_for_leaves_nothing_when_it_fails_or_is_cancelled()
    {
        await Assert.ThrowsAsync<FormatException>(() => _rows.AddRangeAsync(Failing()));
        using CancellationTokenSource source = new();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _rows.AddRangeAsync(Endless(), new Steps(_ => source.Cancel()), source.Token));
        Assert.Empty(_rows);
    }

    private async IAsyncEnumerable<NarrowData> Existing()
    {
        foreach (Narrow row in _rows)
        {
            await Task.Yield();
            yield return row.ToData();
        }
    }

    private static async IAsyncEnumerable<NarrowData> Failing()
    {
        foreach (NarrowData row in Some(10))
            yield return row;
        await Task.Yield();
        throw new FormatException();
    }

    private static async IAsyncEnumerable<NarrowData> Endless([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (long i = 0; ; i++)
        {
            if (i % 500 == 0)
                await Task.Yield();
            cancellationToken.ThrowIfCancellationRequested();
            yield return new NarrowData { Key = i };
        }
    }
}
