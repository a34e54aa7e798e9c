using System.Diagnostics;
using System.Globalization;
using System.Text;
using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Running;
using Smc.QueryCompiler.Fuzz.Schema;
using Smc.QueryCompiler.Fuzz.Shrinking;

namespace Smc.QueryCompiler.Fuzz;

/// <summary>Batches of random queries until there are enough, time is up, or too many fail.</summary>
internal sealed class FuzzRun(FuzzOptions options, Action<string> log, Func<string, string>? mutation = null)
{
    private readonly Dictionary<string, int> _reasons = [];
    private readonly Dictionary<string, int> _kinds = [];
    private readonly List<FuzzFailure> _shrunk = [];
    private int _queries;
    private int _compiled;
    private int _notCSharp;
    private int _hidden;
    private int _repeated;
    private TimeSpan _compiling;
    private TimeSpan _running;

    /// <summary>Failures of each kind.</summary>
    public IReadOnlyDictionary<string, int> Failures => _kinds;

    /// <summary>The first failures of each kind, shrunk.</summary>
    public IReadOnlyList<FuzzFailure> Shrunk => _shrunk;

    public int Queries => _queries;

    /// <summary>Queries that had a kernel.</summary>
    public int Compiled => _compiled;

    /// <summary>Queries that had a kernel which never gave an answer: LINQ to Objects always did, after the kernel had raised.</summary>
    public int Unanswered { get; private set; }

    /// <summary>Queries that the harness wrote wrongly.</summary>
    public int NotCSharp => _notCSharp;

    public int FallenBack => _reasons.Values.Sum();

    public void Run(CancellationToken cancellation = default)
    {
        Stopwatch time = Stopwatch.StartNew();
        for (int seed = options.Seed; _queries < options.Queries && !cancellation.IsCancellationRequested; seed++)
        {
            if (options.Minutes is { } minutes && time.Elapsed.TotalMinutes >= minutes)
                break;
            RunBatch(seed, cancellation);
            log(string.Create(CultureInfo.InvariantCulture, $"seed {seed}: {_queries} queries, {_compiled} compiled, {FallenBack} fallen back, {_kinds.Values.Sum()} failures, {time.Elapsed.TotalSeconds:F0} s (processor: {_compiling.TotalSeconds:F0} s compiling, {_running.TotalSeconds:F0} s asking)"));
        }
    }

    /// <summary>Counts, and the reasons of fallbacks, most frequent first.</summary>
    public string Summary()
    {
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"seed {options.Seed}: {_queries} queries, {_compiled} compiled, {FallenBack} fallen back, {_kinds.Values.Sum()} failures, {_hidden} without an exception of LINQ's, {_repeated} raised and asked again over some data, {Unanswered} over all, {_notCSharp} not C#\n");
        foreach ((string kind, int count) in _kinds.OrderByDescending(k => k.Value))
            text.Append(CultureInfo.InvariantCulture, $"  {count,6}  FAILURE: {kind}\n");
        foreach ((string reason, int count) in _reasons.OrderByDescending(r => r.Value).Take(options.Reasons))
            text.Append(CultureInfo.InvariantCulture, $"  {count,6}  {reason}\n");
        return text.ToString();
    }

    private void RunBatch(int seed, CancellationToken cancellation)
    {
        Random random = new(seed);
        DatabaseSchema schema = RandomSchema.Make(random);
        Dataset[] datasets = [.. Enum.GetValues<DataKind>().Select(kind => Dataset.Make(schema, kind, random))];
        CompiledForm form = new(IsChecked: random.Next(3) == 0, IsOptimized: random.Next(6) == 0, Threads: random.Next(1, 5));
        int count = Math.Min(options.BatchSize, options.Queries - _queries);
        RandomQueryCase[] cases = [.. Enumerable.Range(0, count).Select(i => RandomQuery.Make(schema, new Random(HashCode(seed, i))))];
        TimeSpan before = Environment.CpuUsage.TotalTime;
        using CompiledBatch batch = new(schema, cases, form, mutation);
        TimeSpan compiled = Environment.CpuUsage.TotalTime;
        IReadOnlyList<QueryVerdict> verdicts = BatchRunner.Run(batch, schema, datasets);
        _compiling += compiled - before;
        _running += Environment.CpuUsage.TotalTime - compiled;
        foreach (QueryVerdict verdict in verdicts)
            Count(verdict, schema, form, seed, cancellation);
    }

    /// <summary>Not <see cref="System.HashCode"/>, which differs from process to process.</summary>
    private static int HashCode(int seed, int query) => unchecked((seed * 486187739) + (query * 16777619) + 7);

    private void Count(QueryVerdict verdict, DatabaseSchema schema, CompiledForm form, int seed, CancellationToken cancellation)
    {
        _queries++;
        switch (verdict.Verdict)
        {
            case Verdict.FallsBack:
                _reasons[verdict.Detail] = _reasons.GetValueOrDefault(verdict.Detail) + 1;
                if (verdict.Detail.Contains("please report", StringComparison.Ordinal))
                    log($"not as it should be, in seed {seed}: {verdict.Detail}\n    {verdict.Case.Query.Text}");
                return;
            case Verdict.IsNotCSharp:
                _notCSharp++;
                log($"not C#: {verdict.Detail}\n    {verdict.Case.Query.Text}");
                return;
        }

        _compiled++;
        _hidden += verdict.HidesException ? 1 : 0;
        _repeated += verdict.WasRepeated ? 1 : 0;
        if (!verdict.IsFailure)
        {
            if (!verdict.HasAnswered)
            {
                Unanswered++;
                log($"never answered by its kernel, in seed {seed}: {verdict.Case.Query.Text}");
            }

            return;
        }

        int failures = _kinds[verdict.FailureKind] = _kinds.GetValueOrDefault(verdict.FailureKind) + 1;
        if (failures > options.ShrunkPerKind)
            return;
        FuzzFailure failure = new Shrinker(mutation, cancellation).Shrink(new FuzzFailure(schema, form, verdict));
        _shrunk.Add(failure);
        log(string.Create(CultureInfo.InvariantCulture, $"---- failure in seed {seed}\n{FailureText.Of(failure)}\nas found: {verdict.Case.Query.Text}\n----"));
    }
}
