using System.Diagnostics;
using System.Globalization;
using Smc.QueryCompiler.Fuzz.Running;

namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>Asks the queries of a batch while rows change, in a process of its own: one that crashes is started again behind the query that ended it.</summary>
internal static class ChangeRunner
{
    /// <summary>The argument that makes this program the process that asks.</summary>
    public const string ChildCommand = "ask-under-change";

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(240);

    public static IReadOnlyList<QueryVerdict> Run(CompiledBatch batch, RandomBatch made, int seed, CancellationToken cancellation)
    {
        QueryVerdict[] verdicts = [.. Enumerable.Range(0, batch.Count).Select(i => batch.Settled(i) ?? new QueryVerdict(batch.Case(i), Verdict.Agrees) { HasAnswered = true })];
        if (batch.Image is null)
            return verdicts;
        string assembly = Path.Combine(Path.GetTempPath(), $"smc-random-queries-{Guid.NewGuid():N}.dll");
        File.WriteAllBytes(assembly, batch.Image);
        try
        {
            for (int next = 0; next < batch.Count && !cancellation.IsCancellationRequested;)
                next = AskFrom(next, assembly, made, seed, verdicts, cancellation);
        }
        finally
        {
            File.Delete(assembly);
        }

        return verdicts;
    }

    /// <summary>Starts a process that asks from one query on.</summary>
    /// <returns>The query to go on with.</returns>
    private static int AskFrom(int first, string assembly, RandomBatch made, int seed, QueryVerdict[] verdicts, CancellationToken cancellation)
    {
        string program = typeof(ChangeRunner).Assembly.Location;
        ProcessStartInfo start = new("dotnet", [program, ChildCommand, assembly, .. new[] { seed, made.Cases.Count, first }.Select(n => n.ToString(CultureInfo.InvariantCulture))])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> error = process.StandardError.ReadToEndAsync(cancellation);
        int current = first - 1;
        bool isDone = false;
        while (NextLine(process) is { } line)
        {
            string[] fields = line.Split('\t', 3);
            if (fields.Length < 3 || !int.TryParse(fields[1], CultureInfo.InvariantCulture, out int index))
                continue;
            current = index;
            isDone = fields[0] == "done";
            if (fields[0] == "problem")
                verdicts[index] = verdicts[index] with { Verdict = Verdict.Changes, Detail = fields[2].Replace("\\n", "\n", StringComparison.Ordinal) };
            if (cancellation.IsCancellationRequested)
                process.Kill();
        }

        bool hasEnded = process.WaitForExit(TimeSpan.FromSeconds(5));
        if (!hasEnded)
            process.Kill();
        if (isDone || cancellation.IsCancellationRequested)
            return verdicts.Length;
        if (current < first)
            throw new InvalidOperationException("The process that asks under change did not begin: " + error.GetAwaiter().GetResult());
        verdicts[current] = verdicts[current] with
        {
            Verdict = hasEnded ? Verdict.Crashes : Verdict.Hangs,
            Detail = hasEnded ? $"exit code {process.ExitCode}: {error.GetAwaiter().GetResult()}" : $"no answer within {s_patience.TotalSeconds} s while rows change",
        };
        return current + 1;
    }

    /// <summary>What the process says next; null when it has ended or says nothing for too long.</summary>
    private static string? NextLine(Process process)
    {
        Task<string?> line = process.StandardOutput.ReadLineAsync();
        return line.Wait(s_patience) ? line.Result : null;
    }
}
