using System.Diagnostics;
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

    private static readonly string[] s_needElements = ["Min", "Max", "Average", "First", "Last", "Single", "SingleOrDefault"];

    /// <summary>Whether queries are asked through a snapshot, after the rows have changed and while they change, and compared with what LINQ to Objects said before.</summary>
    public static bool ReadsSnapshots { get; set; }

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
            // Below 0 the rows are being loaded.
            if (now == last && now >= 0)
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
        if (ReadsSnapshots)
        {
            for (int d = 0; d < databases.Length; d++)
            {
                for (int i = 0; i < verdicts.Length; i++)
                {
                    // A busy machine takes longer for all of them than the patience for one.
                    Volatile.Write(ref current, (i * databases.Length) + d);
                    if (verdicts[i].Verdict == Verdict.Agrees && IsFor(batch.Case(i), schema, datasets[d]))
                        databases[d].Expected[i] = AnswerOfLinq(batch, i, databases[d]);
                }

                databases[d].Freeze();
            }
        }

        using (ReadsSnapshots ? new SnapshotWriter(databases) : null)
            CompareAll(batch, schema, databases, datasets, verdicts, ref current);
        foreach (LoadedDatabase database in databases)
            database.Dispose();
    }

    /// <summary>Over many rows a query is asked that reads them once: others may take their number squared.</summary>
    private static bool IsFor(RandomQueryCase query, DatabaseSchema schema, Dataset data) =>
        data.Kind != DataKind.Many || query.Query.All.Count(node => node.Variable == schema.Tables[^1].Parameter) == 1;

    private static void CompareAll(CompiledBatch batch, DatabaseSchema schema, LoadedDatabase[] databases, IReadOnlyList<Dataset> datasets, QueryVerdict[] verdicts, ref int current)
    {
        for (int i = 0; i < verdicts.Length; i++)
        {
            for (int d = 0; d < databases.Length && verdicts[i].Verdict == Verdict.Agrees; d++)
            {
                Volatile.Write(ref current, (i * databases.Length) + d);
                if (!IsFor(batch.Case(i), schema, datasets[d]))
                    continue;
                QueryVerdict verdict = Compare(batch, i, databases[d], datasets[d]);
                verdicts[i] = verdict with
                {
                    HidesException = verdict.HidesException || verdicts[i].HidesException,
                    HasAnswered = verdict.HasAnswered || verdicts[i].HasAnswered,
                    WasRepeated = verdict.WasRepeated || verdicts[i].WasRepeated,
                };
            }
        }
    }

    /// <summary>Both answers over one database. A fault of the kernel that LINQ to Objects made good is a failure.</summary>
    public static QueryVerdict Compare(CompiledBatch batch, int index, LoadedDatabase database, Dataset data)
    {
        int faults = KernelRepeats.FaultsOfThisThread;
        QueryVerdict verdict = CompareAnswers(batch, index, database, data);
        return KernelRepeats.FaultsOfThisThread > faults && !verdict.IsFailure
            ? new QueryVerdict(batch.Case(index), Verdict.Faults, "the kernel raised " + KernelRepeats.LastRaised) { Data = data }
            : verdict;
    }

    private static QueryVerdict CompareAnswers(CompiledBatch batch, int index, LoadedDatabase database, Dataset data)
    {
        RandomQueryCase query = batch.Case(index);
        AnswerWriter writer = WriterFor(query);
        int repeats = KernelRepeats.OfThisThread;
        Outcome outcome = Outcome.Of(() => batch.Run(index, asKernel: true, database));
        bool wasRepeated = KernelRepeats.OfThisThread > repeats && outcome.Exception is null;
        (Answer expected, Exception? exception) = database.Expected.TryGetValue(index, out (Answer, Exception?) known) ? known : AnswerOfLinq(batch, index, database);
        Answer actual = database.AsOfThen(() => writer.Write(outcome));
        bool hidesException = expected != actual && !IsChance(query.Query, expected, actual) && IsOfElement(query.Query, batch.Form.IsChecked, exception);
        if (expected != actual && !hidesException && !IsChance(query.Query, expected, actual))
            return new QueryVerdict(query, Verdict.Differs) { Data = data, Expected = expected, Actual = actual };
        return CompareThreads(batch, index, database, data, outcome) ?? new QueryVerdict(query, Verdict.Agrees) { HidesException = hidesException, HasAnswered = !wasRepeated, WasRepeated = wasRepeated };
    }

    private static (Answer Answer, Exception? Exception) AnswerOfLinq(CompiledBatch batch, int index, LoadedDatabase database)
    {
        AnswerWriter writer = WriterFor(batch.Case(index));
        Outcome asLinq = Outcome.Of(() => batch.Run(index, asKernel: false, database));
        return (writer.Write(asLinq, out Exception? raised), raised);
    }

    private static AnswerWriter WriterFor(RandomQueryCase query)
    {
        NodeOrder order = OrderAnalysis.Of(query.Query);
        bool isOrdered = order.Own > ElementOrder.Any;
        bool isInnerOrdered = order.Inner > ElementOrder.Any;
        // What GroupJoin gives is declared as a sequence, though LINQ's also has a key.
        bool hasKeys = !query.Query.All.Any(n => n.Template.StartsWith("$0.GroupJoin(", StringComparison.Ordinal));
        return new AnswerWriter(isOrdered, isInnerOrdered, hasKeys);
    }

    /// <summary>On several threads a kernel gives what it gives on one, in the same order.</summary>
    private static QueryVerdict? CompareThreads(CompiledBatch batch, int index, LoadedDatabase database, Dataset data, Outcome onOneThread)
    {
        if (batch.Form.Threads == 1)
            return null;
        AnswerWriter exact = new(isOrdered: true, isInnerOrdered: true, hasKeys: true);
        using (Collections.Query.Use(new Collections.QueryOptions { DegreeOfParallelism = batch.Form.Threads, MinRowsPerThread = 1, DividesAtOnce = true, SeeksAlways = true, PairsAlways = true }))
        {
            Answer expected = database.AsOfThen(() => exact.Write(onOneThread));
            Answer actual = database.AsOfThen(() => exact.Write(Outcome.Of(() => batch.Run(index, asKernel: true, database))));
            return expected == actual ? null : new QueryVerdict(batch.Case(index), Verdict.DiffersOnThreads) { Data = data, Expected = expected, Actual = actual };
        }
    }

    private static bool IsOfElement(QueryNode query, bool isChecked, Exception? expected) => expected switch
    {
        null => false,
        _ when s_ofElements.Contains(expected.GetType().Name) => true,
        // A sum that overflows, and the first of nothing, are of one element only where they are computed for one. Where arithmetic is checked, any of it overflows.
        OverflowException => isChecked || query.All.Count(CanOverflow) == query.Inside.Count(CanOverflow) || IsRaisedForElement(expected),
        InvalidOperationException => query.All.Any(n => n.Template == "$0!.Value") || query.Inside.Any(NeedsElements),
        _ => false,
    };

    private static bool CanOverflow(QueryNode node) =>
        node.Template.StartsWith("$0.Sum(", StringComparison.Ordinal) && node.Type is not ScalarType { Kind: ScalarKind.Float or ScalarKind.Double };

    /// <summary>Whether LINQ had called a lambda of the query. The lambda that is the query may be missing from the stack: it ends in a call.</summary>
    private static bool IsRaisedForElement(Exception exception) =>
        new StackTrace(exception).GetFrames().SkipWhile(frame => !IsLambda(frame)).Any(frame => frame.GetMethod()?.DeclaringType?.Namespace == "System.Linq");

    private static bool IsLambda(StackFrame frame) => frame.GetMethod()?.Name.Contains(">b__", StringComparison.Ordinal) == true;

    private static bool NeedsElements(QueryNode node) =>
        s_needElements.Any(name => node.Template.StartsWith("$0." + name + "(", StringComparison.Ordinal)) || node.Template.EndsWith(").First()", StringComparison.Ordinal);

    /// <summary>Where nothing promises an order, it is chance which of several failures comes first, and whether a sum overflows on its way.</summary>
    private static bool IsChance(QueryNode query, Answer expected, Answer actual) =>
        (expected.IsException || actual.IsException)
        && OrderAnalysis.HasUnorderedPart(query)
        && (expected.IsException == actual.IsException || expected.Text == nameof(OverflowException) || actual.Text == nameof(OverflowException));
}
