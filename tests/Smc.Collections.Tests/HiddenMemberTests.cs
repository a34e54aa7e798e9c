using System.Diagnostics.Metrics;
using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Private and protected members in compiled queries, as a project of its own builds them: SMC1003 would be an error here.</summary>
public sealed class HiddenMemberTests : IDisposable
{
    private static readonly int s_every = 3;

    private readonly Collection<Employee> _employees = new();

    public HiddenMemberTests()
    {
        for (int i = 0; i < 100; i++)
            _employees.Add(number: i, name: "E" + i, salary: i % 7);
    }

    public void Dispose() => _employees.Dispose();

    [Fact]
    public void Of_classes() => RunsItsKernel(static (employees, _) => Pay.Strict.Query(employees));

    [Fact]
    public void Of_structs() => RunsItsKernel(static (employees, n) => Band.Query(employees, new Band(n, 40)));

    [Fact]
    public void Static_ones() => RunsItsKernel(static (employees, _) =>
        Query.Run(employees, static employees => employees.Where(e => e.Number % s_every == 0).Select(e => Digits(e.Number)).ToList()));

    [Fact]
    public void Of_the_object_that_a_chain_captures()
    {
        Pay pay = new(4);
        using Repeats repeats = new();
        Assert.Equal(42, pay.Chain(_employees));
        Assert.Equal(0, repeats.Count);
    }

    [Fact]
    public void An_exception_is_that_of_the_member()
    {
        InvalidOperationException raised = Assert.Throws<InvalidOperationException>(() => Query.Run(_employees, static (IEnumerable<Employee> employees) => employees.Sum(e => Failing(e.Number))));
        Assert.Equal("at 50", raised.Message);
    }

    private static int Digits(int number)
    {
        int digits = 1;
        while ((number /= 10) > 0)
            digits++;
        return digits;
    }

    private static int Failing(int number)
    {
        if (number == 50)
            throw new InvalidOperationException("at 50");
        return number;
    }

    private void RunsItsKernel(Func<IEnumerable<Employee>, int, object> query)
    {
        using Repeats repeats = new();
        Assert.Equal(query(_employees.ToList(), 20), query(_employees, 20));
        Assert.Equal(0, repeats.Count);
    }

    /// <summary>Kernels that raised on this thread: LINQ to Objects would answer for them.</summary>
    private sealed class Repeats : IDisposable
    {
        private readonly MeterListener _listener = new();
        private readonly int _thread = Environment.CurrentManagedThreadId;

        public Repeats()
        {
            _listener.InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument is { Meter.Name: "SelfManaged", Name: "smc.query.repeats" })
                    listener.EnableMeasurementEvents(instrument);
            };
            _listener.SetMeasurementEventCallback<long>((_, count, _, _) => Count += Environment.CurrentManagedThreadId == _thread ? (int)count : 0);
            _listener.Start();
        }

        public int Count { get; private set; }

        public void Dispose() => _listener.Dispose();
    }
}

/// <summary>What an employee gets; its members but for the queries are hidden from kernels.</summary>
public class Pay(int limit)
{
    private readonly int _limit = limit;

    private int Doubled => _limit * 2;

    /// <summary>A chain whose captured values are private.</summary>
    public int Chain(Collection<Employee> employees) => employees.Where(e => e.Salary > this._limit - 1 && e.Number < Most).Count();

    private static int Most { get; } = 98;

    private protected virtual decimal Bonus(decimal salary) => salary * 2;

    private protected decimal Total(decimal salary)
    {
        decimal total = salary;
        total += Bonus(salary);
        return total;
    }

    private string Grade(decimal salary) => salary > _limit ? "high" : "low";

    private string Grade(int number) => number > _limit ? "late" : "early";

    /// <summary>Pays half.</summary>
    public sealed class Strict(int limit) : Pay(limit)
    {
        /// <summary>Overloads, an inherited method that is not public, and one that is overridden.</summary>
        public static object Query(IEnumerable<Employee> employees) => Collections.Query.Run(employees, new Strict(3), static (employees, pay) => employees.Where(e => e.Number < pay.OfBase.Doubled * 10)
            .Select(e => pay.Total(e.Salary) + pay.Bonus(e.Salary) + pay.OfBase.Grade(e.Salary) + pay.OfBase.Grade(e.Number)).ToList());

        private Pay OfBase => this;

        private protected override decimal Bonus(decimal salary) => salary / 2;
    }
}

/// <summary>A range of numbers.</summary>
public readonly struct Band(int least, int most)
{
    private readonly int _least = least, _most = most;

    private int Width => _most - _least;

    private bool Has(int number)
    {
        int above = number;
        above -= _least;
        return above >= 0 && above < Width;
    }

    /// <summary>A field, a property and a method of a struct.</summary>
    public static object Query(IEnumerable<Employee> employees, Band band) =>
        Collections.Query.Run(employees, band, static (employees, band) => employees.Where(e => band.Has(e.Number)).Select(e => e.Number - band._least + band.Width).ToList());
}
