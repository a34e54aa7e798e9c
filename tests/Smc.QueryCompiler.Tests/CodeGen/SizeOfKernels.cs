using System.Text;
using Smc.QueryCompiler.Tests.Documentation;
using Xunit;

namespace Smc.QueryCompiler.Tests.CodeGen;

/// <summary>The text of the kernels of the TPC-H queries, by references and by keys, stays short: compiling it takes time and memory in every build, and people read it.</summary>
public sealed class SizeOfKernels
{
    /// <summary>Kernels of the 22 queries; some are the same in both forms, some queries are two.</summary>
    private const int Kernels = 45;

    private const int MaximalBytes = 1_500_000;

    private static readonly string[] s_folders = ["Queries", "Models/Tabular/Schema", "Core/Results"];

    [Fact]
    public void They_have_one_and_a_half_megabytes_at_most()
    {
        string bench = Path.Combine(RepositoryFiles.Root, "bench", "TpcH");
        IEnumerable<string> files = s_folders.SelectMany(folder => Directory.EnumerateFiles(Path.Combine(bench, folder), "*.cs")).Append(Path.Combine(bench, "Models/Columnar/SchemaLayout.cs"));
        string[] sources = [.. files.Where(file => Path.GetFileName(file) != "QuerySet.cs").Select(File.ReadAllText), "global using System; global using System.Collections.Generic; global using System.Linq;"];

        int[] sizes = [.. new GeneratorRun(QueryCompilation.Create(sources)).Files("Kernel.g.cs").Select(Encoding.UTF8.GetByteCount)];

        Assert.Equal(Kernels, sizes.Length);
        Assert.InRange(sizes.Sum(), 0, MaximalBytes);
    }
}
