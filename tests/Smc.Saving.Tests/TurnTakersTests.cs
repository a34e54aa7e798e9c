using Smc.Collections;
using Xunit;

namespace Smc.Saving.Tests;

/// <summary>Threads that take turns to get pieces of work and do them beside each other.</summary>
public sealed class TurnTakersTests
{
    private const int Pieces = 10_000;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(5)]
    public void Every_piece_is_got_once_in_order_and_done(int degree)
    {
        int next = 0, within = 0;
        long sum = 0;
        HashSet<int> threads = [];
        new TurnTakers<Place>(
            place =>
            {
                Assert.Equal(1, Interlocked.Increment(ref within));
                threads.Add(Environment.CurrentManagedThreadId);
                place.Number = ++next;
                Assert.Equal(0, Interlocked.Decrement(ref within));
                return next <= Pieces;
            },
            place => Interlocked.Add(ref sum, place.Number)).Run(degree);

        Assert.Equal(Pieces + 1, next);
        Assert.Equal((long)Pieces * (Pieces + 1) / 2, sum);
        Assert.InRange(threads.Count, 1, degree);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void Whoever_fails_at_work_ends_all(int degree)
    {
        int next = 0;
        InvalidOperationException failure = new("at work");
        TurnTakers<Place> takers = new(
            place =>
            {
                place.Number = ++next;
                return true;
            },
            place =>
            {
                if (place.Number == Pieces)
                    throw failure;
            });
        Assert.Same(failure, Assert.Throws<InvalidOperationException>(() => takers.Run(degree)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void Nobody_gets_what_comes_after_a_piece_that_could_not_be_got(int degree)
    {
        int calls = 0, done = 0;
        TurnTakers<Place> takers = new(_ => ++calls == Pieces ? throw new FormatException("the next one") : true, _ => Interlocked.Increment(ref done));
        Assert.Throws<FormatException>(() => takers.Run(degree));
        Assert.Equal((Pieces, Pieces - 1), (calls, done));
    }

    private sealed class Place
    {
        public int Number { get; set; }
    }
}
