using TpcH.Engines;
using TpcH.Reporting;

namespace TpcH.Running;

/// <summary>
/// How much of each query set was compiled when the program was built. Kernels are counted in the program, fallbacks when they run;
/// a query may have several parts that are queries by themselves.
/// </summary>
internal static class CompilationReport
{
    public static void Write(Terminal terminal, IReadOnlyList<Measurement> measurements)
    {
        foreach (IGrouping<IEngine, Measurement> engine in measurements.Where(measurement => measurement.Kernels is not null).GroupBy(measurement => measurement.Engine))
        {
            string[] interpreted = [.. engine.Where(measurement => measurement.Fallbacks > 0).Select(measurement => measurement.Query.Name)];
            string names = interpreted.Length == 0 ? "" : $" ({string.Join(", ", interpreted)})";
            terminal.Output.WriteLine(
                $"{EngineLabel.Of(engine.Key)}: {engine.Count()} queries, {engine.Sum(query => query.Kernels)} kernels, {engine.Sum(query => query.Fallbacks)} fallbacks{names}");
        }
    }
}
