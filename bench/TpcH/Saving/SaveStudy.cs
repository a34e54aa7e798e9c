using System.Diagnostics;
using Smc.Collections;
using TpcH.Dbgen;
using TpcH.Engines;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Saving;

/// <summary>What was measured; of each time the least.</summary>
/// <param name="Bytes">Bytes of the file.</param>
/// <param name="Rows">Rows in it.</param>
/// <param name="Copy">Copying the file, without bringing it to the disk.</param>
/// <param name="CopyToDisk">Copying the file until it is on the disk.</param>
/// <param name="Stream">Saving to a new file, without bringing it to the disk.</param>
/// <param name="Save">Saving as users do: the file is on the disk then.</param>
/// <param name="Load">Loading from the page cache.</param>
/// <param name="SaveProcessor">Processor time of <paramref name="Stream"/>, of all threads.</param>
/// <param name="LoadProcessor">Processor time of <paramref name="Load"/>.</param>
/// <param name="Problem">The first wrong answer over what was loaded, or null.</param>
internal sealed record SaveFigures(
    long Bytes, long Rows, TimeSpan Copy, TimeSpan CopyToDisk, TimeSpan Stream, TimeSpan Save, TimeSpan Load, TimeSpan SaveProcessor, TimeSpan LoadProcessor, string? Problem);

/// <summary>Saves a database, loads it into another one and asks that all queries.</summary>
internal sealed class SaveStudy(double scaleFactor, string layout, int repeat, int threads, string directory, IProgressDisplay display, CancellationToken cancellationToken)
{
    // Later ones get the memory that the one before gave back, if it is still there: a virtual machine's host takes free pages away within a second, and gives them anew at less than 1 GB/s.
    private const int LoadsAtOnce = 3;

    // Of the file, and some.
    private const int MegabytesOfScaleOne = 1100;

    public SaveFigures Run()
    {
        using var source = new DbgenSource(scaleFactor);
        using ITabularDatabase database = LayoutNames.CreateDatabase(layout);
        display.Stage($"generating scale factor {source.Scale}", stage => DatabaseLoader.Load(source, [database], new RowProgress(source, stage), cancellationToken));
        ExpectedAnswers expected = ExpectedAnswers.ForRun(source, new RunOptions());
        if (!expected.AreReference)
            throw new UsageException($"there are no reference answers for scale factor {source.Scale}: 0.01, 0.1 and 1 have them");
        string folder = Directory.CreateDirectory(Path.Combine(directory, $"tpch-save-{Environment.ProcessId}")).FullName;
        try
        {
            SaveFigures? best = null;
            for (int i = 0; i < repeat; i++)
            {
                SaveFigures figures = display.Stage("saving and loading", _ => Run(database, folder, expected, isLast: i == repeat - 1));
                best = best is null ? figures : Best(best, figures);
            }

            return best!;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private SaveFigures Run(ITabularDatabase database, string folder, ExpectedAnswers expected, bool isLast)
    {
        SaveOptions save = new() { DegreeOfParallelism = threads, CancellationToken = cancellationToken };
        LoadOptions load = new() { DegreeOfParallelism = threads, CancellationToken = cancellationToken };
        string file = Path.Combine(folder, "tables.smc");
        string copy = Path.Combine(folder, "copy");
        (SaveResult result, TimeSpan durable, _) = TimeWrite(folder, () => database.Save(file, save));
        (_, TimeSpan streamed, TimeSpan saveProcessor) = TimeWrite(folder, () =>
        {
            using FileStream stream = new(copy, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
            return database.Save(stream, save);
        });
        File.Delete(copy);
        (long copiedBytes, TimeSpan copied, _) = TimeWrite(folder, () => Copy(file, copy, toDisk: false));
        File.Delete(copy);
        (_, TimeSpan copiedToDisk, _) = TimeWrite(folder, () => Copy(file, copy, toDisk: true));
        File.Delete(copy);
        if (copiedBytes != result.Bytes)
            throw new InvalidOperationException($"The copy has {copiedBytes:N0} bytes, the file {result.Bytes:N0}.");
        SaveFigures? best = null;
        for (int i = 1; i <= LoadsAtOnce; i++)
        {
            (ITabularDatabase loaded, TimeSpan time, TimeSpan loadProcessor) = Time(() => database.LoadSaved(file, load));
            using (loaded)
            {
                string? problem = isLast && i == LoadsAtOnce ? FirstProblem(loaded, expected) : null;
                SaveFigures figures = new(result.Bytes, result.Rows, copied, copiedToDisk, streamed, durable, time, saveProcessor, loadProcessor, problem);
                best = best is null ? figures : Best(best, figures);
            }
        }

        return best!;
    }

    // With read and write: a file system that shares blocks would copy nothing.
    private static long Copy(string from, string to, bool toDisk)
    {
        using FileStream source = new(from, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
        using FileStream target = new(to, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
        source.CopyTo(target, 1 << 20);
        if (toDisk)
            target.Flush(flushToDisk: true);
        return target.Length;
    }

    // Each finds pages that a file has just given back. Else the first one would wait for the host of a virtual machine, and the next one get what it leaves.
    private (T Result, TimeSpan Time, TimeSpan Processor) TimeWrite<T>(string folder, Func<T> action)
    {
        string file = Path.Combine(folder, "pages");
        byte[] megabyte = new byte[1 << 20];
        using (FileStream pages = new(file, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0))
        {
            for (int i = 0; i < MegabytesOfScaleOne * scaleFactor; i++)
                pages.Write(megabyte);
        }

        File.Delete(file);
        return Time(action);
    }

    private static (T Result, TimeSpan Time, TimeSpan Processor) Time<T>(Func<T> action)
    {
        GC.Collect();
        TimeSpan used = Environment.CpuUsage.TotalTime;
        long start = Stopwatch.GetTimestamp();
        T result = action();
        return (result, Stopwatch.GetElapsedTime(start), Environment.CpuUsage.TotalTime - used);
    }

    private string? FirstProblem(ITabularDatabase target, ExpectedAnswers expected)
    {
        foreach (JoinStyle joins in new[] { JoinStyle.References, JoinStyle.Keys })
        {
            var engine = new SmcEngine(target, layout, joins);
            foreach (QueryDefinition query in QueryCatalog.All)
            {
                Measurement measured = QueryTimer.Measure(query, engine, query.ReadParameters(ParameterFile.Standard.For(query.Name)), expected.For(query), repeat: 1, cancellationToken);
                if (measured.IsCorrect != true)
                    return $"{query.Name}: {measured.Problem ?? "not checked"}";
            }
        }

        return null;
    }

    private static SaveFigures Best(SaveFigures a, SaveFigures b) => b with
    {
        Copy = Least(a.Copy, b.Copy),
        CopyToDisk = Least(a.CopyToDisk, b.CopyToDisk),
        Stream = Least(a.Stream, b.Stream),
        Save = Least(a.Save, b.Save),
        Load = Least(a.Load, b.Load),
        SaveProcessor = Least(a.SaveProcessor, b.SaveProcessor),
        LoadProcessor = Least(a.LoadProcessor, b.LoadProcessor),
        Problem = a.Problem ?? b.Problem,
    };

    private static TimeSpan Least(TimeSpan a, TimeSpan b) => a < b ? a : b;
}
