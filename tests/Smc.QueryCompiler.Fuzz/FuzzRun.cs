using System.Diagnostics;
using System.Globalization;
using System.Text;
using Smc.QueryCompiler.Fuzz.Change;
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

    /// <summary>Queries whose kernel asks conditions of pairs of rows at the ends of paths.</summary>
    public int OfPairs { get; private set; }

    public int FallenBack => _reasons.Values.Sum();

    public void Run(CancellationToken cancellation = default)
    {
        Stopwatch time = Stopwatch.StartNew();
        int made = 0;
        Action? earlier = null;
        for (int seed = options.Seed; made < options.Queries && !cancellation.IsCancellationRequested; seed++)
        {
            if (options.Minutes is { } minutes && time.Elapsed.TotalMinutes >= minutes)
                break;
            int count = Math.Min(options.BatchSize, options.Queries - made);
            made += count;
            Action ask = Compile(seed, count, cancellation);
            earlier?.Invoke();
            earlier = null;
            if (options.IsChanging)
                earlier = ask;
            else
                ask();
            log(string.Create(CultureInfo.InvariantCulture, $"seed {seed}: {_queries} queries, {_compiled} compiled, {FallenBack} fallen back, {_kinds.Values.Sum()} failures, {time.Elapsed.TotalSeconds:F0} s (processor: {_compiling.TotalSeconds:F0} s compiling, {_running.TotalSeconds:F0} s asking)"));
        }

        earlier?.Invoke();
    }

    /// <summary>Counts, and the reasons of fallbacks, most frequent first.</summary>
    public string Summary()
    {
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"seed {options.Seed}: {_queries} queries, {_compiled} compiled, {OfPairs} of pairs of rows, {FallenBack} fallen back, {_kinds.Values.Sum()} failures, {_hidden} without an exception of LINQ's, {_repeated} raised and asked again over some data, {Unanswered} over all, {_notCSharp} not C#\n");
        foreach ((string kind, int count) in _kinds.OrderByDescending(k => k.Value))
            text.Append(CultureInfo.InvariantCulture, $"  {count,6}  FAILURE: {kind}\n");
        foreach ((string reason, int count) in _reasons.OrderByDescending(r => r.Value).Take(options.Reasons))
            text.Append(CultureInfo.InvariantCulture, $"  {count,6}  {reason}\n");
        return text.ToString();
    }

    /// <summary>Compiles a batch.</summary>
    /// <returns>What asks its queries, and counts what became of them.</returns>
    private Action Compile(int seed, int count, CancellationToken cancellation)
    {
        RandomBatch made = RandomBatch.Make(seed, count, readsLate: !options.IsChanging);
        TimeSpan before = Environment.CpuUsage.TotalTime;
        CompiledBatch batch = new(made.Schema, made.Cases, made.Form, mutation);
        _compiling += Environment.CpuUsage.TotalTime - before;
        OfPairs += batch.OfPairs;
        // Queries under change run in a process of their own, while this one compiles the next.
        Task<IReadOnlyList<QueryVerdict>>? asked = options.IsChanging ? Task.Run(() => ChangeRunner.Run(batch, made, seed, cancellation), cancellation) : null;
        return () =>
        {
            TimeSpan compiled = Environment.CpuUsage.TotalTime;
            IReadOnlyList<QueryVerdict> verdicts = asked is null ? BatchRunner.Run(batch, made.Schema, made.Datasets) : asked.GetAwaiter().GetResult();
            _running += Environment.CpuUsage.TotalTime - compiled;
            foreach (QueryVerdict verdict in verdicts)
                Count(verdict, made.Schema, made.Form, seed, cancellation);
            batch.Dispose();
        };
    }

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
        FuzzFailure failure = new(schema, form, verdict);
        // What happens under change does not happen again and again.
        if (verdict.Verdict is not (Verdict.Changes or Verdict.Crashes))
            failure = new Shrinker(mutation, cancellation).Shrink(failure);
        _shrunk.Add(failure);
        log(string.Create(CultureInfo.InvariantCulture, $"---- failure in seed {seed}\n{FailureText.Of(failure)}\nas found: {verdict.Case.Query.Text}\n----"));
    }
}
