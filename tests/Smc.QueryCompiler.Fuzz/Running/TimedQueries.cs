using System.Collections;
using System.Diagnostics;
using System.Globalization;
using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>
/// Times kernels against LINQ to Objects over the same rows, and writes a line for each that is slow. What it finds are cliffs: queries whose time grows faster than that of LINQ. Milliseconds say little
/// here, as a kernel runs a few times only; run it with <c>DOTNET_TC_QuickJitForLoops=0</c>.
/// </summary>
internal sealed class TimedQueries(FuzzOptions options, Action<string> write)
{
    // A kernel that takes more than this share of the time of LINQ to Objects is worth a look, if it takes long enough to be more than the beginning of a query.
    private const double SlowShare = 0.5;
    private const double LeastMicroseconds = 1_000;
    private const double MostMicroseconds = 3_000_000;
    private static readonly int[] s_rows = [200, 2_000, 40_000];

    public void Run()
    {
        for (int seed = options.Seed, made = 0; made < options.Queries; seed++)
        {
            int count = Math.Min(options.BatchSize, options.Queries - made);
            made += count;
            RandomBatch random = RandomBatch.Make(seed, count, readsLate: false);
            DatabaseSchema schema = new([.. random.Schema.Tables.Select(static table => table with { BlockCapacity = RandomSchema.LargeCapacity })]);
            using CompiledBatch batch = new(schema, random.Cases, new CompiledForm(IsChecked: false, IsOptimized: true, Threads: 1, IsStrict: false));
            if (batch.Assembly is not null)
                Time(batch, schema, seed);
        }
    }

    private void Time(CompiledBatch batch, DatabaseSchema schema, int seed)
    {
        // What LINQ took over fewer rows says which queries can be asked over more: some take their number squared.
        double[] before = new double[batch.Count];
        bool[] isLeftOut = [.. Enumerable.Range(0, batch.Count).Select(i => batch.Settled(i) is not null)];
        for (int step = 0; step < s_rows.Length; step++)
        {
            using LoadedDatabase database = new(batch.Assembly!, schema, Dataset.Make(schema, DataKind.Timed, new Random(seed), s_rows[step]));
            double growth = step == 0 ? 0 : Math.Pow(s_rows[step] / (double)s_rows[step - 1], 2);
            for (int i = 0; i < batch.Count; i++)
            {
                isLeftOut[i] |= before[i] * growth > MostMicroseconds;
                if (isLeftOut[i])
                    continue;
                if (Microseconds(batch, i, asKernel: false, database) is not { } linq || Microseconds(batch, i, asKernel: true, database) is not { } kernel)
                {
                    isLeftOut[i] = true;
                    continue;
                }

                before[i] = linq;
                if (kernel > LeastMicroseconds && kernel > SlowShare * linq)
                    write(string.Create(CultureInfo.InvariantCulture, $"{kernel / linq,8:F2} of LINQ: {kernel,9:F0} and {linq,9:F0} us, {s_rows[step]} rows, seed {seed}: {batch.Case(i).Query.Text.ReplaceLineEndings(" ")}"));
            }
        }
    }

    /// <summary>The shortest of three times; null for a query that raises.</summary>
    private static double? Microseconds(CompiledBatch batch, int index, bool asKernel, LoadedDatabase database)
    {
        double best = double.MaxValue;
        for (int run = 0; run < 3 && best > run * LeastMicroseconds; run++)
        {
            long start = Stopwatch.GetTimestamp();
            try
            {
                ReadAll(batch.Run(index, asKernel, database));
            }
            catch (Exception)
            {
                return null;
            }

            double time = Stopwatch.GetElapsedTime(start).TotalMicroseconds;
            best = Math.Min(best, time);
            if (time > MostMicroseconds)
                break;
        }

        return best;
    }

    private static void ReadAll(object? result)
    {
        if (result is not IEnumerable elements || result is ICollection or string)
            return;
        foreach (object? element in elements)
            ReadAll(element);
    }
}
