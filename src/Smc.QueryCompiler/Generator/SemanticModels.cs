using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Semantic models that do not follow null through the code, one for each tree of a compilation. Plans do not depend on it, and it is nearly half of what
/// reading a query costs.
/// </summary>
internal static class SemanticModels
{
    private static readonly ConditionalWeakTable<Compilation, ConcurrentDictionary<SyntaxTree, SemanticModel>> s_models = new();

    public static SemanticModel WithoutNullableAnalysis(Compilation compilation, SyntaxTree tree) =>
#pragma warning disable RSEXPERIMENTAL001 // in every Roslyn since 4.8; a newer one that drops it fails our tests
        s_models.GetOrCreateValue(compilation).GetOrAdd(tree, t => compilation.GetSemanticModel(t, SemanticModelOptions.DisableNullableAnalysis));
#pragma warning restore RSEXPERIMENTAL001
}
