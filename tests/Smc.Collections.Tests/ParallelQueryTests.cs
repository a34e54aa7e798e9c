using Smc.Collections.Kernels;
using Smc.Memory;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Compiled queries on several threads.</summary>
public sealed class ParallelQueryTests : IDisposable
{
    private const int RowsPerBlock = 16;
    private const int Rows = 100 * RowsPerBlock;

    private static readonly QueryOptions s_twoThreads = new() { DegreeOfParallelism = 2, MinRowsPerThread = 1 };

    private readonly Collection<Employee> _employees = new(new CollectionOptions { BlockCapacity = RowsPerBlock });

    public ParallelQueryTests()
    {
        for (int i = 0; i < Rows; i++)
            _employees.Add(number: i, name: "E" + i, salary: i % 100);
    }

    public void Dispose() => _employees.Dispose();

    [Fact]
    public void Two_threads_are_in_a_scan_at_the_same_time()
    {
        Meeting meeting = new(2);
        using (Query.Use(s_twoThreads))
            Assert.Equal(Rows, Query.Run(_employees, meeting, static (IEnumerable<Employee> employees, Meeting meeting) => employees.Count(e => meeting.Attend(e.Number))));
    }

    [Fact]
    public void A_chain_that_asks_for_two_threads_gets_them()
    {
        Meeting meeting = new(2);
        Assert.Equal(Rows, _employees.WithOptions(new QueryOptions { MinRowsPerThread = 1 }).WithDegreeOfParallelism(2).Where(e => meeting.Attend(e.Number)).Count());
    }

    [Fact]
    public void A_query_that_does_not_ask_stays_on_its_thread()
    {
        HashSet<int> threads = [];
        Query.Run(_employees, threads, static (IEnumerable<Employee> employees, HashSet<int> threads) => employees.Count(e => Note(e.Number, threads)));
        Assert.Equal([Environment.CurrentManagedThreadId], threads);
    }

    [Fact]
    public void Few_rows_are_not_worth_a_second_thread()
    {
        HashSet<int> threads = [];
        using (Query.Use(new QueryOptions { DegreeOfParallelism = 2, MinRowsPerThread = Rows }))
            Query.Run(_employees, threads, static (IEnumerable<Employee> employees, HashSet<int> threads) => employees.Count(e => Note(e.Number, threads)));
        Assert.Equal([Environment.CurrentManagedThreadId], threads);
    }

    [Fact]
    public void Two_threads_are_in_a_loop_over_groups_at_the_same_time()
    {
        Meeting meeting = new(2);
        using (Query.Use(s_twoThreads))
        {
            List<int> numbers = Query.Run(_employees, meeting, static (IEnumerable<Employee> employees, Meeting meeting) =>
                employees.GroupBy(e => e.Number).Where(g => meeting.Attend(g.Count())).Select(g => g.Key).ToList());
            Assert.Equal(Enumerable.Range(0, Rows), numbers);
        }
    }

    [Fact]
    public void A_query_in_a_query_on_two_threads_stays_on_its_thread()
    {
        Staff staff = new(_employees);
        using (Query.Use(s_twoThreads))
            Assert.Equal(Rows, Query.Run(_employees, staff, static (IEnumerable<Employee> employees, Staff staff) => employees.Count(e => staff.IsCountedByOneThread(e.Number))));
    }

    [Fact]
    public void The_options_end_with_their_scope()
    {
        using (Query.Use(s_twoThreads))
            Assert.Equal(2, KernelOptions.Current.DegreeOfParallelism);
        Assert.Equal(1, KernelOptions.Current.DegreeOfParallelism);
    }

    [Fact]
    public void The_first_row_that_raises_decides_which_exception_it_is()
    {
        for (int round = 0; round < 20; round++)
        {
            using (Query.Use(new QueryOptions { DegreeOfParallelism = 4, MinRowsPerThread = 1 }))
            {
                InvalidOperationException first = Assert.Throws<InvalidOperationException>(() =>
                    Query.Run(_employees, 333, static (IEnumerable<Employee> employees, int least) => employees.Where(e => RaiseFrom(e.Number, least)).Select(e => e.Number).ToList()));
                Assert.Equal("row 333", first.Message);
            }
        }
    }

    [Fact]
    public void Cancellation_ends_all_threads_within_a_block()
    {
        Canceller canceller = new(after: Rows / 3);
        using (Query.Use(new QueryOptions { DegreeOfParallelism = 2, MinRowsPerThread = 1, CancellationToken = canceller.Token }))
        {
            Assert.Throws<OperationCanceledException>(() => Query.Run(_employees, canceller, static (IEnumerable<Employee> employees, Canceller canceller) => employees.Count(e => canceller.Meet(e.Number))));
        }

        Assert.InRange(canceller.MetAfterwards, 0, 2 * RowsPerBlock);
    }

    [Fact]
    public void The_memory_limit_holds_for_all_threads_together()
    {
        QueryOptions generous = new() { DegreeOfParallelism = 4, MinRowsPerThread = 1, MemoryLimit = 64 << 20 }, tight = generous with { MemoryLimit = 300_000 };
        using (Query.Use(generous))
            Assert.Equal(Rows, Names(_employees));
        // One thread alone stays below the limit, and helpers may come too late to go over it with it.
        string? message = null;
        using (Query.Use(tight))
        {
            for (long end = Environment.TickCount64 + 60_000; message is null && Environment.TickCount64 < end;)
                message = Record.Exception(() => Names(_employees))?.Message;
        }

        Assert.Contains("memory limit", message, StringComparison.Ordinal);

        static int Names(Collection<Employee> employees) =>
            Query.Run(employees, static (IEnumerable<Employee> employees) => employees.GroupBy(e => e.Name + " and some more text, so that every thread needs room").Count());
    }

    [Fact]
    public void Disposing_the_collection_meanwhile_ends_the_query()
    {
        Disposer disposer = new(_employees, at: Rows / 2);
        using (Query.Use(s_twoThreads))
            Assert.Throws<ObjectDisposedException>(() => Query.Run(_employees, disposer, static (IEnumerable<Employee> employees, Disposer disposer) => employees.Count(e => disposer.Meet(e.Number))));
    }

    [Fact]
    public void An_interrupted_caller_waits_for_its_helpers_first()
    {
        Interruption interruption = new();
        int found = 0;
        bool wasInterrupted = false;
        Thread caller = new(() =>
        {
            interruption.Caller = Thread.CurrentThread;
            using (Query.Use(s_twoThreads))
                found = Query.Run(_employees, interruption, static (IEnumerable<Employee> employees, Interruption interruption) => employees.Count(e => interruption.Meet(e.Number)));
            try
            {
                Thread.Sleep(TimeSpan.FromSeconds(30));
            }
            catch (ThreadInterruptedException)
            {
                wasInterrupted = true;
            }
        });
        caller.Start();
        caller.Join();
        Assert.Equal(Rows, found);
        Assert.True(wasInterrupted);
    }

    [Fact]
    public void Numbers_that_are_not_positive_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new QueryOptions { DegreeOfParallelism = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => new QueryOptions { MinRowsPerThread = 0 });
        Assert.Throws<ArgumentOutOfRangeException>(() => _employees.WithDegreeOfParallelism(-1));
    }

    internal static bool Note(int number, HashSet<int> threads)
    {
        threads.Add(Environment.CurrentManagedThreadId);
        return number >= 0;
    }

    internal static bool RaiseFrom(int number, int least) => number < least || (number % 3 != 0 ? true : throw new InvalidOperationException($"row {number}"));

    /// <summary>Lets nobody go on before so many threads have come.</summary>
    internal sealed class Meeting(int threads)
    {
        private readonly CountdownEvent _missing = new(threads);
        private readonly ThreadLocal<bool> _isThere = new();

        public bool Attend(int number)
        {
            if (!_isThere.Value)
            {
                _isThere.Value = true;
                _missing.Signal();
                Assert.True(_missing.Wait(TimeSpan.FromSeconds(30)), "no other thread has come");
            }

            return number >= 0;
        }
    }

    /// <summary>Asks, for each row, another query of the same collection.</summary>
    internal sealed class Staff(Collection<Employee> employees)
    {
        public bool IsCountedByOneThread(int number)
        {
            if (number % 100 != 0)
                return true;
            HashSet<int> threads = [];
            Query.Run(employees, threads, static (IEnumerable<Employee> employees, HashSet<int> threads) => employees.Count(e => Note(e.Number, threads)));
            return threads.Count == 1;
        }
    }

    /// <summary>Cancels when so many rows have been met. Rows that come then wait until that is done: the first time it takes longer than the other thread needs for all rows.</summary>
    internal sealed class Canceller(int after)
    {
        private readonly CancellationTokenSource _source = new();
        private int _met;

        public CancellationToken Token => _source.Token;

        public int MetAfterwards => _met - after;

        public bool Meet(int number)
        {
            int met = Interlocked.Increment(ref _met);
            if (met == after)
                _source.Cancel();
            else if (met > after)
                SpinWait.SpinUntil(() => _source.IsCancellationRequested, TimeSpan.FromSeconds(30));
            return number >= 0;
        }
    }

    /// <summary>Disposes a collection when a row is met; later rows wait until that is done, as in <see cref="Canceller"/>.</summary>
    internal sealed class Disposer(Collection<Employee> employees, int at)
    {
        private volatile bool _isDone;

        public bool Meet(int number)
        {
            if (number == at)
            {
                employees.Dispose();
                _isDone = true;
            }
            else if (number > at)
            {
                SpinWait.SpinUntil(() => _isDone, TimeSpan.FromSeconds(30));
            }

            return number >= 0;
        }
    }

    /// <summary>Lets a helper interrupt the caller, and then take its time.</summary>
    internal sealed class Interruption
    {
        private volatile bool _hasHappened;

        public Thread? Caller { get; set; }

        public bool Meet(int number)
        {
            long end = Environment.TickCount64 + 30_000;
            while (Thread.CurrentThread == Caller && !_hasHappened && Environment.TickCount64 < end)
                Thread.SpinWait(100);
            if (!_hasHappened)
            {
                Caller!.Interrupt();
                _hasHappened = true;
                Thread.Sleep(200);
            }

            return number >= 0;
        }
    }
}
