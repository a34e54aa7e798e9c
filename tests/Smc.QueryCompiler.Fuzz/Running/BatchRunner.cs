using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>Asks every query of a batch over every dataset, as kernel and as LINQ to Objects.</summary>
internal static class BatchRunner
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(40);

    /// <summary>
    /// Exceptions of expressions over one element. A kernel never throws one where LINQ does not; but where LINQ does, the kernel may have refused the
    /// element by a later condition already, or not need the value at all (DESIGN 5.2, rule 1).
    /// </summary>
    private static readonly HashSet<string> s_ofElements =
    [
        nameof(NullReferenceException), nameof(Collections.RowRemovedException), nameof(DivideByZeroException),
        nameof(ArgumentOutOfRangeException), nameof(IndexOutOfRangeException), nameof(ArgumentNullException),
    ];

    public static IReadOnlyList<QueryVerdict> Run(CompiledBatch batch, DatabaseSchema schema, IReadOnlyList<Dataset> datasets)
    {
        QueryVerdict[] verdicts = [.. Enumerable.Range(0, batch.Count).Select(i => batch.Settled(i) ?? new QueryVerdict(batch.Case(i), Verdict.Agrees))];
        if (batch.Assembly is null)
            return verdicts;
        int current = -1;
        // A kernel that never ends is found by its silence; its thread is left behind.
        Thread worker = new(() => RunAll(batch, schema, datasets, verdicts, ref current), 16 << 20) { IsBackground = true };
        worker.Start();
        int last = -1;
        while (!worker.Join(s_patience))
        {
            int now = Volatile.Read(ref current);
            if (now == last)
            {
                verdicts[now / datasets.Count] = new QueryVerdict(batch.Case(now / datasets.Count), Verdict.Hangs, $"did not end within {s_patience.TotalSeconds} s") { Data = datasets[now % datasets.Count] };
                break;
            }

            last = now;
        }

        return verdicts;
    }

    private static void RunAll(CompiledBatch batch, DatabaseSchema schema, IReadOnlyList<Dataset> datasets, QueryVerdict[] verdicts, ref int current)
    {
        LoadedDatabase[] databases = [.. datasets.Select(d => new LoadedDatabase(batch.Assembly!, schema, d))];
        for (int i = 0; i < verdicts.Length; i++)
        {
            for (int d = 0; d < databases.Length && verdicts[i].Verdict == Verdict.Agrees; d++)
            {
                Volatile.Write(ref current, (i * databases.Length) + d);
                QueryVerdict verdict = Compare(batch, i, databases[d], datasets[d]);
                verdicts[i] = verdict with { HidesException = verdict.HidesException || verdicts[i].HidesException };
            }
        }

        foreach (LoadedDatabase database in databases)
            database.Dispose();
    }

    /// <summary>Both answers over one database.</summary>
    public static QueryVerdict Compare(CompiledBatch batch, int index, LoadedDatabase database, Dataset data)
    {
        RandomQueryCase query = batch.Case(index);
        NodeOrder order = OrderAnalysis.Of(query.Query);
        bool isOrdered = order.Own > ElementOrder.Any;
        bool isInnerOrdered = order.Inner > ElementOrder.Any;
        Answer expected = Answer.Of(() => batch.Run(index, asKernel: false, database), isOrdered, isInnerOrdered);
        Answer actual = Answer.Of(() => batch.Run(index, asKernel: true, database), isOrdered, isInnerOrdered);
        if (expected == actual || IsChance(query.Query, expected, actual))
            return new QueryVerdict(query, Verdict.Agrees);
        if (IsOfElement(query.Query, expected))
            return new QueryVerdict(query, Verdict.Agrees) { HidesException = true };
        return new QueryVerdict(query, Verdict.Differs) { Data = data, Expected = expected, Actual = actual };
    }

    private static bool IsOfElement(QueryNode query, Answer expected) => expected.IsException && expected.Text switch
    {
        // A sum that overflows is not an expression over one element, and the value of a nullable is one.
        nameof(OverflowException) => !query.All.Any(n => n.Template.StartsWith("$0.Sum(", StringComparison.Ordinal)),
        nameof(InvalidOperationException) => query.All.Any(n => n.Template == "$0!.Value"),
        var name => s_ofElements.Contains(name),
    };

    /// <summary>Where nothing promises an order, it is chance which of several failures comes first, and whether a sum overflows on its way.</summary>
    private static bool IsChance(QueryNode query, Answer expected, Answer actual) =>
        (expected.IsException || actual.IsException)
        && OrderAnalysis.HasUnorderedPart(query)
        && (expected.IsException == actual.IsException || expected.Text == nameof(OverflowException) || actual.Text == nameof(OverflowException));
}
