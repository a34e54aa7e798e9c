using Xunit;

namespace Smc.Collections.Tests;

/// <summary>Groups by one integer of many values: their records lie at the index of the key where that takes little memory, and are found by hash elsewhere.</summary>
public sealed class GroupsByIntegerTests
{
    // More values than small maps have, and enough rows that a record for each takes little beside them.
    private const int Values = 70_000;
    private const int Rows = 10 * Values;

    [Theory]
    [InlineData(1)]
    [InlineData(0)]
    [InlineData(-5)]
    [InlineData(int.MaxValue - Values)]
    public void Groups_are_those_of_LINQ_in_the_order_of_their_first_rows(int least)
    {
        using Collection<Employee> employees = Fill(i => least + (int)(i * 7919L % Values));
        List<(int Key, int Count, int Most)> expected = [.. employees.AsEnumerable().ToLookup(e => e.Number, e => e.Salary).Select(g => (g.Key, g.Count(), (int)g.Max()))];
        Assert.Equal(expected, Query.Run(employees, static employees => employees.GroupBy(e => e.Number).Select(g => ValueTuple.Create(g.Key, g.Count(), (int)g.Max(e => e.Salary))).ToList()));
        using (Query.Use(new QueryOptions { DegreeOfParallelism = 2, MinRowsPerThread = 1 }))
            Assert.Equal(expected, Query.Run(employees, static employees => employees.GroupBy(e => e.Number).Select(g => ValueTuple.Create(g.Key, g.Count(), (int)g.Max(e => e.Salary))).ToList()));
    }

    [Fact]
    public void Distinct_counts_of_filtered_groups_are_those_of_LINQ()
    {
        using Collection<Employee> employees = Fill(i => 1 + (int)(i * 7919L % Values));
        List<(int, int)> expected = [.. employees.AsEnumerable().Where(e => e.Salary < 50).GroupBy(e => e.Number).Select(g => (g.Key, g.Select(e => e.Salary).Distinct().Count()))];
        Assert.Equal(expected, Query.Run(employees, static employees => employees.Where(e => e.Salary < 50).GroupBy(e => e.Number).Select(g => ValueTuple.Create(g.Key, g.Select(e => e.Salary).Distinct().Count())).ToList()));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(0)]
    [InlineData(-2)]
    [InlineData(Values + 1)]
    [InlineData(int.MaxValue)]
    public void A_row_that_gets_a_key_which_no_row_had_when_the_query_began_has_a_group_of_its_own(int key)
    {
        using Collection<Employee> employees = Fill(i => 1 + (int)(i * 7919L % Values));
        Employee last = employees.Last();
        KeyChange change = new(last, key);
        Dictionary<int, int> counts = Query.Run(employees, change, static (IEnumerable<Employee> employees, KeyChange change) =>
            employees.Where(e => change.IsMade(e.Number)).GroupBy(e => e.Number).Select(g => ValueTuple.Create(g.Key, g.Count())).ToList()).ToDictionary();
        Assert.Equal(1, counts[key]);
        Assert.Equal(Rows, counts.Values.Sum());
    }

    private static Collection<Employee> Fill(Func<int, int> number)
    {
        Collection<Employee> employees = new();
        for (int i = 0; i < Rows; i++)
            employees.Add(number: number(i), name: "E", salary: i % 97);
        return employees;
    }
}

/// <summary>Gives a row another key when the first row of a query is looked at.</summary>
internal sealed class KeyChange(Employee row, int key)
{
    private bool _isMade;

    public bool IsMade(int number)
    {
        if (!_isMade)
        {
            Employee changed = row;
            changed.Number = key;
            _isMade = true;
        }

        return number != int.MinValue;
    }
}
