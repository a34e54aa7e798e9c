using System.Linq.Expressions;
using System.Reflection;
using Xunit;

namespace Smc.Collections.Tests;

[Tabular]
public readonly partial struct Employee
{
    public partial int Number { get; set; }

    public partial string Name { get; set; }

    public partial decimal Salary { get; set; }

    public partial Employee Boss { get; set; }
}

/// <summary>Ordinary LINQ on a collection, without a provider: it records, and runs as LINQ to Objects.</summary>
public sealed class QueryTests : IDisposable
{
    private readonly Collection<Employee> _employees = new();

    public QueryTests()
    {
        Employee boss = _employees.Add(number: 0, name: "Ada", salary: 100);
        for (int i = 1; i < 10; i++)
            _employees.Add(number: i, name: "E" + i, salary: i % 3, boss: i % 2 == 0 ? boss : default);
    }

    /// <summary>The collection as a query that the build does not see, so that what begins with it is recorded and not compiled.</summary>
    private Query<Employee> Recorded => Record(_employees);

    /// <summary>The build does not follow generic methods, so the calls on what this returns are recorded.</summary>
    private static Query<T> Record<T>(Collection<T> rows)
        where T : unmanaged => rows;

    public void Dispose() => _employees.Dispose();

    [Fact]
    public void A_chain_records_a_query_and_its_end_runs_it()
    {
        OrderedQuery<Employee> query = Recorded.Where(e => e.Number > 3).OrderByDescending(e => e.Salary).ThenBy(e => e.Number);
        Assert.Equal([5, 8, 4, 7, 6, 9], query.Select(e => e.Number).ToList());
    }

    [Fact]
    public void Query_syntax_binds_to_the_same_operators()
    {
        Query<string> names =
            from e in Recorded
            let boss = e.Boss
            where boss != null
            join other in _employees on boss equals other
            orderby e.Number descending
            select other.Name + e.Number;
        Assert.Equal(["Ada8", "Ada6", "Ada4", "Ada2"], names.ToArray());
    }

    [Fact]
    public void Captured_variables_have_the_values_of_the_moment_when_the_query_runs()
    {
        int least = 100;
        Query<Employee> query = Recorded.Where(e => e.Number >= least);
        least = 8;
        Assert.Equal(2, query.Count());
    }

    [Fact]
    public void A_query_is_put_together_at_run_time()
    {
        Query<Employee> query = Recorded;
        query = query.Where(e => e.Number != 2);
        Query<Employee> narrower = query.Where(e => e.Salary == 2);
        Assert.Equal(9, query.Count());
        Assert.Equal([5, 8], narrower.Select(e => e.Number).Order().ToArray());
    }

    [Fact]
    public void Count_is_a_property_of_a_collection_and_an_operator_with_a_condition()
    {
        Assert.Equal(10, _employees.Count);
        Assert.Equal(10, _employees.Count());
        Assert.Equal(1, _employees.Count(e => e.Name == "Ada"));
    }

    [Fact]
    public void A_query_that_runs_as_LINQ_to_Objects_ends_when_its_scope_is_cancelled()
    {
        for (int i = 0; i < 1000; i++)
            _employees.Add(number: i, name: "E", salary: 1);
        using CancellationTokenSource source = new();
        int met = 0;
        // A delegate is no lambda written in place, so no kernel takes its place.
        Func<IEnumerable<Employee>, int> count = employees => employees.Count(_ =>
        {
            if (++met == 100)
                source.Cancel();
            return true;
        });

        using (Query.Use(new QueryOptions { CancellationToken = source.Token }))
        {
#pragma warning disable SMC1001 // that it is not compiled is the test
            Assert.Throws<OperationCanceledException>(() => Query.Run(_employees, count));
#pragma warning restore SMC1001
        }

        Assert.InRange(met, 100, 100 + 64);
    }

    [Fact]
    public void A_collection_inside_a_lambda_is_queried_once_per_row()
    {
        List<int> numbers = _employees.Where(b => _employees.Any(e => e.Boss == b)).Select(b => _employees.Where(e => e.Boss == b).Sum(e => e.Number)).ToList();
        Assert.Equal([20], numbers);
    }

    [Fact]
    public void A_query_that_is_the_element_of_another_one_stays_a_query()
    {
#pragma warning disable SMC1001 // what LINQ to Objects makes of it is the test
        List<Query<Employee>> queries = _employees.Where(b => b.Number == 0).Select(b => _employees.Where(e => e.Boss == b)).ToList();
#pragma warning restore SMC1001
        Assert.Equal(4, queries[0].Count());
    }

    [Fact]
    public void Sums_of_numbers_need_no_selector()
    {
        Assert.Equal(109m, Recorded.Select(e => e.Salary).Sum());
        Assert.Equal(4.5, Recorded.Select(e => e.Number).Average());
    }

    [Fact]
    public void What_is_not_an_operator_of_ours_is_one_of_System_Linq()
    {
        Assert.Equal("Ada", _employees.Where(e => e.Number < 3).Select(e => e.Name).Min(StringComparer.Ordinal));
        Func<Employee, bool> isBoss = e => e.Name is "Ada";
        Assert.Equal([0], _employees.Where(isBoss).Select(e => e.Number));
    }

#pragma warning disable SMC1001 // Comparers with code of their own: LINQ to Objects.
    [Fact]
    public void Any_comparer_may_be_given()
    {
        Assert.Equal(["Ada", "E1", "E2"], Recorded.Where(e => e.Number < 3).OrderBy(e => e.Name, StringComparer.Ordinal).Select(e => e.Name).ToList());
        Assert.Equal(["E2", "E1", "Ada"], Recorded.Where(e => e.Number < 3).OrderBy(e => e.Name, Comparer<string>.Create((a, b) => string.CompareOrdinal(b, a))).Select(e => e.Name).ToList());
        Assert.Equal(0, _employees.ToDictionary(e => e.Name, StringComparer.OrdinalIgnoreCase)["ADA"].Number);
        Assert.Equal(["Ada"], _employees.Where(e => e.Number < 3).Select(e => e.Name).Distinct(EqualityComparer<string>.Create((_, _) => true, _ => 0)).ToList());
    }
#pragma warning restore SMC1001

    [Fact]
    public void A_foreach_runs_the_query()
    {
        int sum = 0;
        foreach (int number in _employees.Where(e => e.Number > 7).Select(e => e.Number))
            sum += number;
        Assert.Equal(17, sum);
    }

    [Fact]
    public void A_missing_lambda_is_an_error_at_once()
    {
        Expression<Func<Employee, bool>> none = null!;
        Assert.Equal("predicate", Assert.Throws<ArgumentNullException>(() => _employees.Where(none)).ParamName);
    }

    [Fact]
    public void A_cancelled_query_ends_at_the_next_row()
    {
        using CancellationTokenSource source = new();
        int seen = 0;
        Assert.Throws<OperationCanceledException>(() =>
        {
            foreach (Employee row in _employees.Where(e => e.Number >= 0).WithCancellation(source.Token))
            {
                seen++;
                source.Cancel();
            }
        });
        Assert.Equal(1, seen);
    }

    [Fact]
    public void Without_a_provider_an_explanation_shows_the_calls() =>
        Assert.Contains(".Where(e => (e.Number > 3))", Recorded.Where(e => e.Number > 3).Explain(), StringComparison.Ordinal);

    public static TheoryData<string> Operators() => [.. typeof(Query<Employee>).GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
        .Where(m => !m.Name.StartsWith("With", StringComparison.Ordinal) && m.Name is not ("Explain" or "LeftJoin" or "RightJoin")).Select(m => m.ToString()!)];

    [Theory]
    [MemberData(nameof(Operators))]
    public void An_operator_has_the_parameters_of_the_one_in_System_Linq(string signature)
    {
        MethodInfo ours = typeof(Query<Employee>).GetMethods().First(m => m.ToString() == signature);
        string[] names = [.. ours.GetParameters().Select(p => p.Name!)];
        Assert.Contains(typeof(Enumerable).GetMethods(), m => m.Name == ours.Name && Names(m).SequenceEqual(names) || Names(m).Where(n => n is not ("comparer" or "keyComparer")).SequenceEqual(names));

        static IEnumerable<string> Names(MethodInfo method) => method.GetParameters().Skip(1).Select(p => p.Name!);
    }
}
