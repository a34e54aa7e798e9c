using TpcH.Dbgen;
using TpcH.Tests.Dbgen;
using Xunit;

[assembly: AssemblyFixture(typeof(TextPoolFixture))]

namespace TpcH.Tests.Dbgen;

/// <summary>One text pool for all tests: each takes 300 MiB.</summary>
public sealed class TextPoolFixture
{
    public TextPool Pool { get; } = TextPool.Load(TextPoolCache.Shared);

    public DbgenSource Source(double scaleFactor) => new(scaleFactor, Pool);

    public GeneratorInputs Inputs(double scaleFactor) => new(new ScaleFactor(scaleFactor), Distributions.Standard, Pool);
}
