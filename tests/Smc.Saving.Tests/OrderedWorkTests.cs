using Smc.Collections.Saving;
using Xunit;

namespace Smc.Saving.Tests;

public sealed class OrderedWorkTests
{
    [Theory]
    [InlineData(1, 1)]
    [InlineData(1, 200)]
    [InlineData(2, 1)]
    [InlineData(2, 2000)]
    [InlineData(5, 3)]
    [InlineData(5, 2000)]
    public void Results_are_taken_in_order_by_the_calling_thread(int degree, int count)
    {
        int caller = Environment.CurrentManagedThreadId;
        int next = 0, underWay = 0, most = 0;
        new OrderedWork<Box>(count, degree, (number, box) =>
        {
            int now = Interlocked.Increment(ref underWay);
            InterlockedMax(ref most, now);
            // Some take longer than those after them.
            Thread.SpinWait(number % 7 * 300);
            box.Number = number;
        }).Run(
            box =>
            {
                Assert.Equal(caller, Environment.CurrentManagedThreadId);
                Assert.Equal(next++, box.Number);
                Interlocked.Decrement(ref underWay);
                box.Number = -1;
            },
            TestContext.Current.CancellationToken);
        Assert.Equal(count, next);
        Assert.InRange(most, 1, 4 * degree);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public void What_a_maker_throws_is_thrown_and_nobody_is_at_work_then(int degree)
    {
        int atWork = 0;
        OrderedWork<Box> work = new(1000, degree, (number, _) =>
        {
            Interlocked.Increment(ref atWork);
            try
            {
                Thread.SpinWait(200);
                if (number >= 300)
                    throw new InvalidDataException("three hundred");
            }
            finally
            {
                Interlocked.Decrement(ref atWork);
            }
        });
        int taken = 0;
        InvalidDataException error = Assert.Throws<InvalidDataException>(() => work.Run(_ => taken++, TestContext.Current.CancellationToken));
        Assert.Equal("three hundred", error.Message);
        Assert.Equal(0, Volatile.Read(ref atWork));
        Assert.InRange(taken, 0, 300);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void What_the_taker_throws_ends_the_work(int degree)
    {
        int made = 0;
        OrderedWork<Box> work = new(10_000, degree, (_, _) => Interlocked.Increment(ref made));
        Assert.Throws<IOException>(() => work.Run(static _ => throw new IOException(), TestContext.Current.CancellationToken));
        Assert.InRange(Volatile.Read(ref made), 1, 4 * degree);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void A_token_ends_the_work(int degree)
    {
        using CancellationTokenSource source = new();
        int taken = 0;
        OrderedWork<Box> work = new(10_000, degree, static (_, _) => { });
        Assert.Throws<OperationCanceledException>(() => work.Run(
            _ =>
            {
                if (++taken == 10)
                    source.Cancel();
            },
            source.Token));
        Assert.Equal(10, taken);
    }

    [Fact]
    public void A_taker_that_is_slow_does_not_hold_up_those_who_make_until_all_are_ahead()
    {
        int made = 0;
        new OrderedWork<Box>(100, 3, (_, _) => Interlocked.Increment(ref made)).Run(
            _ => Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref made) >= 12, TimeSpan.FromSeconds(60))), TestContext.Current.CancellationToken);
        Assert.Equal(100, made);
    }

    private static void InterlockedMax(ref int target, int value)
    {
        for (int now = Volatile.Read(ref target); now < value;)
        {
            int found = Interlocked.CompareExchange(ref target, value, now);
            if (found == now)
                return;
            now = found;
        }
    }

    private sealed class Box
    {
        public int Number { get; set; } = -1;
    }
}
