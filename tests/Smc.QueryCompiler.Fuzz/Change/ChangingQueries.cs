using System.Diagnostics;
using System.Reflection;
using System.Text.RegularExpressions;
using Smc.QueryCompiler.Fuzz.Running;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>Asks the queries of a batch over fresh collections whose rows change meanwhile.</summary>
internal sealed class ChangingQueries : IDisposable
{
    private const int Worlds = 8;
    private const int SteadyChoices = 4;
    private const int MostMoves = 10;

    /// <summary>What a block knows of its values is sharp for a short while only.</summary>
    private static readonly TimeSpan s_timeOfWorld = TimeSpan.FromMilliseconds(1.5);

    private static readonly TimeSpan s_timeOfQuery = TimeSpan.FromMilliseconds(50);

    private readonly RandomBatch _batch;
    private readonly Type _queries;
    private readonly int _seed;
    private readonly TableAccess[] _tables;
    private readonly Dictionary<string, int> _counts;
    private readonly RowValues _values;
    private readonly FactCheck _check;
    private readonly RowWriter _writer = new();

    public ChangingQueries(RandomBatch batch, Assembly assembly, int seed)
    {
        _batch = batch;
        _queries = assembly.GetType(SchemaText.Namespace + ".Queries")!;
        _seed = seed;
        Random random = new(seed);
        Type rows = assembly.GetType(SchemaText.Namespace + ".Rows")!;
        _tables = [.. batch.Schema.Tables.Select(t => new TableAccess(rows, t))];
        _counts = batch.Schema.Tables.ToDictionary(t => t.Name, _ => random.Next(5) == 0 ? random.Next(4, 12) : random.Next(40, 160));
        _values = new RowValues(batch.Schema, _counts.Values.Min(), random);
        _check = new FactCheck(_values.IsStored);
    }

    public bool HasKernel(int index) => Method(index) is not null;

    /// <summary>Asks one query in some worlds.</summary>
    /// <returns>What is wrong, or null.</returns>
    public string? Ask(int index)
    {
        AskedQuery query = new(_batch, index, Method(index)!.CreateDelegate<Func<object?[], object?>>());
        Stopwatch time = Stopwatch.StartNew();
        SteadyChange? steady = FindSteady(query, new Random(Seed(index, -1)));
        for (int world = 0; world < Worlds && (world < 3 || time.Elapsed < s_timeOfQuery); world++)
        {
            ChangePlan plan = new(AddsAndRemoves: world % 4 == 1, world % 2 == 0 ? steady : null);
            using (Collections.Query.Use(new Collections.QueryOptions { DegreeOfParallelism = world % 4 > 1 ? _batch.Form.Threads : 1, MinRowsPerThread = 1, SeeksAlways = world % 2 == 0, PairsAlways = world % 2 == 0 }))
            {
                if (AskIn(query, plan, Seed(index, world)) is { } problem)
                    return problem;
            }
        }

        return null;
    }

    public void Dispose() => _writer.Dispose();

    private MethodInfo? Method(int index) => _queries.GetMethod(CompiledBatch.NameOf(index));

    private int Seed(int index, int world) => unchecked((_seed * 7919) + (index * 101) + world);

    /// <summary>A change of a column that the query reads, and that no answer of LINQ's shows; null when none is found.</summary>
    private SteadyChange? FindSteady(AskedQuery query, Random random)
    {
        (TableSchema Table, int Column)[] columns =
        [
            // A column that is read in two places can have two values there, for LINQ as for the kernel.
            .. query.Tables.SelectMany(t => t.Columns.Index().Where(c => c.Item.Name != "Id" && Regex.Count(query.Text, $@"\.{c.Item.Name}\b") == 1).Select(c => (t, c.Index))),
        ];
        for (int choice = 0; choice < SteadyChoices && columns.Length > 0; choice++)
        {
            (TableSchema table, int column) = columns[random.Next(columns.Length)];
            object?[][] all = [.. _values.Usual[table.Name], .. _values.Unusual[table.Name]];
            SteadyChange change = new(table.Name, column, [_values.Usual[table.Name][random.Next(_values.Usual[table.Name].Length)], all[random.Next(all.Length)]]);
            if (!Equals(change.Values[0][column], change.Values[1][column]) && HasOneAnswer(query, new ChangePlan(AddsAndRemoves: false, change), random))
                return change;
        }

        return null;
    }

    private bool HasOneAnswer(AskedQuery query, ChangePlan plan, Random random)
    {
        using ChangingTables tables = new(_tables, _counts, _values, plan, new Random(random.Next()));
        long begin = Stopwatch.GetTimestamp();
        Answer first = query.Write(query.Run(tables, asKernel: false));
        for (int round = 0; round < 4; round++)
        {
            for (int i = 0; i < 150; i++)
                tables.Change(random);
            if (first.IsException || query.Write(query.Run(tables, asKernel: false)) != first || Stopwatch.GetElapsedTime(begin) > s_timeOfQuery)
                return false;
        }

        return true;
    }

    private string? AskIn(AskedQuery query, ChangePlan plan, int seed)
    {
        using ChangingTables tables = new(_tables, _counts, _values, plan, new Random(seed));
        // The kernel's code is made before the writer begins, or that takes the time in which the world is fresh.
        Answer calm = query.Write(query.Run(tables, asKernel: true));
        Answer? expected = plan.Steady is null ? null : query.Write(query.Run(tables, asKernel: false));
        if (calm.IsException || expected is { IsException: true })
            expected = null;
        else if (expected is not null && expected != calm)
            return Difference("over calm rows", calm, expected);
        Facts facts = query.Facts(plan.AddsAndRemoves, _counts);
        string? problem = null;
        _writer.Start(tables, seed);
        long begin = Stopwatch.GetTimestamp();
        for (int run = 0; problem is null && (run < 3 || Stopwatch.GetElapsedTime(begin) < s_timeOfWorld); run++)
            problem = AskOnce(query, tables, plan, facts, expected);
        _writer.Stop();
        return _writer.Raised is { } raised ? "the writer raised an exception: " + raised : problem ?? AskAfterwards(query, tables);
    }

    private string? AskOnce(AskedQuery query, ChangingTables tables, ChangePlan plan, Facts facts, Answer? expected)
    {
        int faults = KernelRepeats.FaultsOfThisThread;
        int repeats = KernelRepeats.OfThisThread;
        Outcome outcome = query.Run(tables, asKernel: true);
        if (KernelRepeats.FaultsOfThisThread > faults)
            return "a fault of the kernel was swallowed: " + KernelRepeats.LastRaised;
        if (KernelRepeats.OfThisThread > repeats && KernelRepeats.LastRaised == typeof(IndexOutOfRangeException).FullName)
            return "the kernel raised what LINQ cannot: " + KernelRepeats.LastRaised;
        if (outcome.Exception is { } exception)
            return query.CanRaise(exception, plan.AddsAndRemoves) ? null : "an exception that LINQ cannot raise: " + exception;
        if (expected is not null && query.Write(outcome) is var actual && actual != expected && query.IsAlwaysByLinq(tables, _writer, expected))
            return Difference($"though no change of {plan.Steady!.Table}.{_batch.Schema.Table(plan.Steady.Table).Columns[plan.Steady.Column].Name} can show", actual, expected);
        return _check.Problem(facts, outcome.Result);
    }

    /// <summary>When the values are calm again, what blocks know of them must be right still. Rows may be on the move: then LINQ itself meets them in another order.</summary>
    private static string? AskAfterwards(AskedQuery query, ChangingTables tables)
    {
        for (int run = 0; run < MostMoves; run++)
        {
            Answer before = query.Write(query.Run(tables, asKernel: false));
            Answer actual = query.Write(query.Run(tables, asKernel: true));
            Answer expected = query.Write(query.Run(tables, asKernel: false));
            if (before == expected)
                return actual == expected || actual.IsException || expected.IsException ? null : Difference("after the rows changed", actual, expected);
        }

        return null;
    }

    private static string Difference(string when, Answer actual, Answer expected)
    {
        int same = actual.Text.AsSpan().CommonPrefixLength(expected.Text);
        return $"another answer {when}: {Part(actual.Text, same)} instead of {Part(expected.Text, same)}";
    }

    /// <summary>The text where it begins to differ from another, with some of what is before.</summary>
    private static string Part(string text, int same)
    {
        int first = Math.Max(0, same - 300), end = Math.Min(text.Length, same + 300);
        return $"{(first > 0 ? "…" : "")}{text[first..end]}{(end < text.Length ? "…" : "")}";
    }
}
