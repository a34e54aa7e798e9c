using Microsoft.CodeAnalysis.CodeFixes;
using Smc.QueryCompiler.CodeFixes;

namespace Smc.QueryCompiler.Tests.CodeFixes;

/// <summary>The providers of the assembly, found as an editor finds them.</summary>
internal sealed class AllFixes
{
    public IReadOnlyList<CodeFixProvider> Providers { get; } = [.. typeof(SyntaxFix).Assembly.GetTypes()
        .Where(type => type.IsDefined(typeof(ExportCodeFixProviderAttribute), inherit: false))
        .Select(type => (CodeFixProvider)Activator.CreateInstance(type)!)];

    public IReadOnlySet<string> Ids => Providers.SelectMany(provider => provider.FixableDiagnosticIds).ToHashSet();
}
