using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// The compilation as it will be once tabular types have their generated halves. A generator does not see what others generate, so <c>order == null</c>
/// or <c>order.IsNull</c> do not bind for it. The first query that does not bind otherwise makes it; from then on queries are read in it at once, for what
/// does not bind costs more than what does.
/// </summary>
internal static class TabularCompletion
{
    private static readonly ConditionalWeakTable<Compilation, Compilation> Completed = new();

    /// <summary>The model of the same file in the completed compilation, if that was made already; else null.</summary>
    public static SemanticModel? Known(SemanticModel model) =>
        Completed.TryGetValue(model.Compilation, out Compilation? completed) ? ModelIn(completed, model) : null;

    /// <summary>The model of the same file in the completed compilation; null when nothing is missing.</summary>
    public static SemanticModel? Complete(SemanticModel model, CancellationToken cancellation) =>
        ModelIn(Completed.GetValue(model.Compilation, original => AddGeneratedHalves(original, cancellation)), model);

    private static SemanticModel? ModelIn(Compilation completed, SemanticModel model) =>
        completed == model.Compilation ? null : SemanticModels.WithoutNullableAnalysis(completed, model.SyntaxTree);

    private static Compilation AddGeneratedHalves(Compilation compilation, CancellationToken cancellation)
    {
        if (compilation.SyntaxTrees.Any(tree => tree.FilePath.EndsWith(TabularTypeReader.GeneratedFileEnding, StringComparison.Ordinal)))
            return compilation;
        HashSet<ISymbol> types = new(SymbolEqualityComparer.Default);
        List<SyntaxTree> halves = [];
        foreach (StructDeclarationSyntax declaration in compilation.SyntaxTrees.SelectMany(tree => MarkedStructs(tree, cancellation)))
        {
            SemanticModel model = compilation.GetSemanticModel(declaration.SyntaxTree);
            if (model.GetDeclaredSymbol(declaration, cancellation) is { } type && PlanTypeReader.IsTabular(type) && types.Add(type)
                && TabularTypeReader.ReadDeclaration(type).Declaration is { } half)
            {
                string path = halves.Count + TabularTypeReader.GeneratedFileEnding;
                halves.Add(CSharpSyntaxTree.ParseText(TabularEmitter.Emit(half), (CSharpParseOptions)declaration.SyntaxTree.Options, path, cancellationToken: cancellation));
            }
        }

        return halves.Count == 0 ? compilation : compilation.AddSyntaxTrees(halves);
    }

    private static IEnumerable<StructDeclarationSyntax> MarkedStructs(SyntaxTree tree, CancellationToken cancellation) => tree.GetRoot(cancellation)
        .DescendantNodes(node => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax or TypeDeclarationSyntax)
        .OfType<StructDeclarationSyntax>()
        .Where(type => type.AttributeLists.Count > 0);
}
