using System.Globalization;
using System.Reflection;

namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>The process that asks queries while rows change: what ends it is found by the one that started it.</summary>
internal static class ChangeProcess
{
    /// <param name="given">The assembly of the batch, its seed, the number of its queries, and the first to ask.</param>
    public static int Run(string[] given)
    {
        int[] numbers = [.. given[1..].Select(n => int.Parse(n, CultureInfo.InvariantCulture))];
        RandomBatch batch = RandomBatch.Make(numbers[0], numbers[1], readsLate: false);
        Assembly assembly = Assembly.LoadFrom(given[0]);
        Console.OutputEncoding = System.Text.Encoding.UTF8;
        // A deep query needs a deep stack.
        Thread asking = new(() => Ask(batch, assembly, numbers[0], numbers[2]), 16 << 20);
        asking.Start();
        asking.Join();
        return 0;
    }

    private static void Ask(RandomBatch batch, Assembly assembly, int seed, int first)
    {
        using ChangingQueries queries = new(batch, assembly, seed);
        for (int i = first; i < batch.Cases.Count; i++)
        {
            if (!queries.HasKernel(i))
                continue;
            Tell("ask", i, "");
            if (queries.Ask(i) is { } problem)
                Tell("problem", i, problem);
        }

        Tell("done", batch.Cases.Count, "");
    }

    private static void Tell(string what, int index, string text) =>
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{what}\t{index}\t{text.Replace("\n", "\\n", StringComparison.Ordinal).Replace("\r", "", StringComparison.Ordinal)}"));
}
