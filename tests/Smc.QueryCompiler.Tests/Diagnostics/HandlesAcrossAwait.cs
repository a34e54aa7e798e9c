using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Smc.QueryCompiler.Generator;
using Xunit;

namespace Smc.QueryCompiler.Tests.Diagnostics;

/// <summary>SMC0060: a row may be removed while a method waits.</summary>
public sealed class HandlesAcrossAwait
{
    [Theory]
    [InlineData("Order o = Find(); await Task.Yield(); o.Total = 5;", "o")]
    [InlineData("Order o = Find(); decimal before = o.Total; await Task.Yield(); return o.Total - before;", "o")]
    [InlineData("await Task.Yield(); return given.Total;", "given")]
    [InlineData("Order o = Find(); if (o.IsAlive) { await Task.Yield(); return o.Total; } return 0;", "o")]
    public async Task A_handle_from_before_an_await_is_told_where_it_is_used(string body, string where)
    {
        Diagnostic diagnostic = Assert.Single(await Analyze(body));
        Assert.Equal("SMC0060", diagnostic.Id);
        Assert.Equal(DiagnosticSeverity.Info, diagnostic.Severity);
        Assert.Equal(where, diagnostic.Location.SourceTree!.GetText(TestContext.Current.CancellationToken).ToString(diagnostic.Location.SourceSpan));
    }

    [Theory]
    [InlineData("Order o = Find(); o.Total = 5; await Task.Yield(); return 0;")]
    [InlineData("await Task.Yield(); Order o = Find(); return o.Total;")]
    [InlineData("Order o = Find(); await Task.Yield(); o = Find(); return o.Total;")]
    [InlineData("Order o = Find(); await Task.Yield(); return o.IsAlive ? o.Total : 0;")]
    [InlineData("Order o = Find(); await Task.Yield(); if (!o.IsAlive) return 0; return o.Total;")]
    [InlineData("Order o = Find(); await Task.Yield(); return o.IsNull ? 1 : 0;")]
    [InlineData("decimal total = Find().Total; await Task.Yield(); return total;")]
    public async Task A_handle_that_is_new_checked_or_not_read_is_not_told(string body) => Assert.Empty(await Analyze(body));

    private static async Task<IReadOnlyList<Diagnostic>> Analyze(string body) =>
        await TabularCompilation.Of($$"""
            using System.Threading.Tasks;
            using Smc.Collections;
            [Tabular] public readonly partial struct Order { public partial decimal Total { get; set; } }
            public class C
            {
                private static Order Find() => default;
                public async Task<decimal> M(Order given) { {{(body.Contains("return", StringComparison.Ordinal) ? body : body + " return 0;")}} }
            }
            """).Output.WithAnalyzers([new HandleAnalyzer()]).GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);
}
