using System.Diagnostics;
using System.Globalization;
using Smc.Collections;
using Smc.QueryCompiler;

namespace Parts;

/// <summary>
/// The query of a page with filters, over a million sales: optional conditions, one of two orders, a page of 20. Put together in one method, from functions, and in a loop
/// that only the run-time compiler follows; beside one expression and LINQ to Objects. Every form gives the same answers in all eight combinations before times are printed.
/// </summary>
internal static class PartsStudy
{
    private const int Rows = 1_000_000;
    private const int Rounds = 7;

    private static readonly Filter[] s_filters =
    [
        .. from city in new[] { null, "city 7" }
           from least in new int?[] { null, 40 }
           from isUp in new[] { true, false }
           select new Filter(city, least, isUp),
    ];

    public static void Run()
    {
        using Collection<Visit> visits = new();
        List<ManagedVisit> managed = new(Rows);
        Random random = new(3);
        for (int i = 0; i < Rows; i++)
        {
            ManagedVisit visit = new(i, $"city {random.Next(100)}", random.Next(1, 50), new decimal(random.Next(100, 100_000), 0, 0, isNegative: false, scale: 2));
            managed.Add(visit);
            visits.Add(id: visit.Id, city: visit.City, quantity: visit.Quantity, price: visit.Price);
        }

        string[] expected = [.. s_filters.Select(filter => Objects(managed, filter))];
        List<(string Name, Func<Filter, string> Page)> forms =
        [
            ("parts in one method", filter => InOneMethod(visits, filter)),
            ("parts in functions that return `Query<T>`", filter => InFunctions(visits, filter)),
            ("one expression for each of the eight", filter => InOneExpression(visits, filter)),
            ("one expression with switches for all eight", filter => WithSwitches(visits, filter)),
            ("LINQ to Objects over the collection", filter => Objects(visits, filter)),
            ("LINQ to Objects over a `List<T>`", filter => Objects(managed, filter)),
        ];
        Console.WriteLine("| form of the query | no condition, ms | both conditions, ms | all eight, mean, ms |");
        Console.WriteLine("| --- | ---: | ---: | ---: |");
        foreach ((string name, Func<Filter, string> page) in forms)
            Measure(name, page, expected);

        // Last: from here on it compiles what the build has left.
        RuntimeQueries.Enable(new RuntimeQueryOptions { WaitsForKernels = true });
        Measure("parts added in a loop, run-time compiler", filter => InALoop(visits, filter), expected);
        RuntimeQueries.Disable();
        Measure("parts added in a loop, without it", filter => InALoop(visits, filter), expected);
    }

    private static string InOneMethod(Collection<Visit> visits, Filter filter)
    {
        (string? city, int? least, bool ascending) = filter;
        Query<Visit> found = visits.Where(v => v.Quantity > 2);
        if (city != null)
            found = found.Where(v => v.City == city);
        if (least is { } units)
            found = found.Where(v => v.Quantity >= units);
        found = ascending ? found.OrderBy(v => v.Price).ThenBy(v => v.Id) : found.OrderByDescending(v => v.Price).ThenBy(v => v.Id);
        return Text(found.Take(20).Select(v => v.Id).ToList());
    }

    private static string InFunctions(Collection<Visit> visits, Filter filter) =>
        Text(Sorted(Limited(Within(visits.Where(v => v.Quantity > 2), filter.City), filter.Least), filter.Ascending).Take(20).Select(v => v.Id).ToList());

    private static Query<Visit> Within(Query<Visit> visits, string? city) => city == null ? visits : visits.Where(v => v.City == city);

    private static Query<Visit> Limited(Query<Visit> visits, int? least)
    {
        if (least is { } units)
            visits = visits.Where(v => v.Quantity >= units);
        return visits;
    }

    private static OrderedQuery<Visit> Sorted(Query<Visit> visits, bool ascending) =>
        ascending ? visits.OrderBy(v => v.Price).ThenBy(v => v.Id) : visits.OrderByDescending(v => v.Price).ThenBy(v => v.Id);

    private static string InOneExpression(Collection<Visit> visits, Filter filter)
    {
        (string? city, int? least, bool ascending) = filter;
        int units = least ?? 0;
        return Text((city, least, ascending) switch
        {
            (null, null, true) => visits.Where(v => v.Quantity > 2).OrderBy(v => v.Price).ThenBy(v => v.Id).Take(20).Select(v => v.Id).ToList(),
            (null, null, false) => visits.Where(v => v.Quantity > 2).OrderByDescending(v => v.Price).ThenBy(v => v.Id).Take(20).Select(v => v.Id).ToList(),
            (null, _, true) => visits.Where(v => v.Quantity > 2 && v.Quantity >= units).OrderBy(v => v.Price).ThenBy(v => v.Id).Take(20).Select(v => v.Id).ToList(),
            (null, _, false) => visits.Where(v => v.Quantity > 2 && v.Quantity >= units).OrderByDescending(v => v.Price).ThenBy(v => v.Id).Take(20).Select(v => v.Id).ToList(),
            (_, null, true) => visits.Where(v => v.Quantity > 2 && v.City == city).OrderBy(v => v.Price).ThenBy(v => v.Id).Take(20).Select(v => v.Id).ToList(),
            (_, null, false) => visits.Where(v => v.Quantity > 2 && v.City == city).OrderByDescending(v => v.Price).ThenBy(v => v.Id).Take(20).Select(v => v.Id).ToList(),
            (_, _, true) => visits.Where(v => v.Quantity > 2 && v.City == city && v.Quantity >= units).OrderBy(v => v.Price).ThenBy(v => v.Id).Take(20).Select(v => v.Id).ToList(),
            _ => visits.Where(v => v.Quantity > 2 && v.City == city && v.Quantity >= units).OrderByDescending(v => v.Price).ThenBy(v => v.Id).Take(20).Select(v => v.Id).ToList(),
        });
    }

    /// <summary>One kernel for all eight ways: conditions and order look at the filter for each row.</summary>
    private static string WithSwitches(Collection<Visit> visits, Filter filter)
    {
        (string? city, int? least, bool ascending) = filter;
        bool isAnyCity = city == null, isAnyQuantity = least == null;
        int units = least ?? 0;
        return Text(visits
            .Where(v => v.Quantity > 2 && (isAnyCity || v.City == city) && (isAnyQuantity || v.Quantity >= units))
            .OrderBy(v => ascending ? v.Price : -v.Price).ThenBy(v => v.Id).Take(20).Select(v => v.Id).ToList());
    }

    private static string InALoop(Collection<Visit> visits, Filter filter)
    {
        Query<Visit> found = visits;
        List<System.Linq.Expressions.Expression<Func<Visit, bool>>> conditions = [v => v.Quantity > 2];
        if (filter.City is { } city)
            conditions.Add(v => v.City == city);
        if (filter.Least is { } units)
            conditions.Add(v => v.Quantity >= units);
        foreach (System.Linq.Expressions.Expression<Func<Visit, bool>> condition in conditions)
            found = found.Where(condition);
        return Text(Sorted(found, filter.Ascending).Take(20).Select(v => v.Id).ToList());
    }

    private static string Objects(IEnumerable<Visit> visits, Filter filter)
    {
        IEnumerable<Visit> found = visits.Where(v => v.Quantity > 2);
        if (filter.City is { } city)
            found = found.Where(v => v.City == city);
        if (filter.Least is { } units)
            found = found.Where(v => v.Quantity >= units);
        found = filter.Ascending ? found.OrderBy(v => v.Price).ThenBy(v => v.Id) : found.OrderByDescending(v => v.Price).ThenBy(v => v.Id);
        return Text(found.Take(20).Select(v => v.Id).ToList());
    }

    private static string Objects(List<ManagedVisit> visits, Filter filter)
    {
        IEnumerable<ManagedVisit> found = visits.Where(v => v.Quantity > 2);
        if (filter.City is { } city)
            found = found.Where(v => v.City == city);
        if (filter.Least is { } units)
            found = found.Where(v => v.Quantity >= units);
        found = filter.Ascending ? found.OrderBy(v => v.Price).ThenBy(v => v.Id) : found.OrderByDescending(v => v.Price).ThenBy(v => v.Id);
        return Text(found.Take(20).Select(v => v.Id).ToList());
    }

    private static string Text(List<long> ids) => string.Join(" ", ids);

    private static void Measure(string name, Func<Filter, string> page, string[] expected)
    {
        double[] least = new double[s_filters.Length];
        for (int i = 0; i < s_filters.Length; i++)
        {
            if (page(s_filters[i]) is var found && found != expected[i])
                throw new InvalidOperationException($"{name}, {s_filters[i]}: {found} instead of {expected[i]}");
            least[i] = Enumerable.Range(0, Rounds).Min(_ => Milliseconds(() => page(s_filters[i])));
        }

        int both = Array.FindIndex(s_filters, filter => filter is { City: not null, Least: not null });
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {name} | {least[0]:0.00} | {least[both]:0.00} | {least.Average():0.00} |"));
    }

    private static double Milliseconds(Action run)
    {
        long start = Stopwatch.GetTimestamp();
        run();
        return Stopwatch.GetElapsedTime(start).TotalMilliseconds;
    }

    private sealed record Filter(string? City, int? Least, bool Ascending);

    private sealed record ManagedVisit(long Id, string City, int Quantity, decimal Price);
}
