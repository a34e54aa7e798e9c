using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Running;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz;

/// <summary>What one seed makes: tables, their rows, and queries.</summary>
internal sealed record RandomBatch(DatabaseSchema Schema, IReadOnlyList<Dataset> Datasets, CompiledForm Form, IReadOnlyList<RandomQueryCase> Cases)
{
    /// <param name="seed">What everything follows from.</param>
    /// <param name="count">How many queries.</param>
    /// <param name="readsLate">Whether results may hold sequences that LINQ reads only when somebody asks for their elements.</param>
    public static RandomBatch Make(int seed, int count, bool readsLate)
    {
        Random random = new(seed);
        DatabaseSchema schema = RandomSchema.Make(random);
        Dataset[] datasets = [.. Dataset.Compared(schema).Select(kind => Dataset.Make(schema, kind, random))];
        CompiledForm form = new(IsChecked: random.Next(2) == 0, IsOptimized: random.Next(6) == 0, Threads: random.Next(1, 5), IsStrict: random.Next(3) == 0);
        return new RandomBatch(schema, datasets, form, [.. Enumerable.Range(0, count).Select(i => RandomQuery.Make(schema, new Random(HashCode(seed, i)), readsLate))]);
    }

    /// <summary>Not <see cref="System.HashCode"/>, which differs from process to process.</summary>
    private static int HashCode(int seed, int query) => unchecked((seed * 486187739) + (query * 16777619) + 7);
}
