using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// The compilation as it will be once tabular types have their generated halves. A generator does not see what others generate, so <c>order == null</c>
/// or <c>order.IsNull</c> do not bind for it. Only queries that do not bind otherwise are read again here; the rest never pays for it.
/// </summary>
internal static class TabularCompletion
{
    private static readonly ConditionalWeakTable<Compilation, Compilation> Completed = new();

    /// <summary>The completed compilation; the same one when nothing is missing.</summary>
    public static Compilation Complete(Compilation compilation, CancellationToken cancellation) =>
        Completed.GetValue(compilation, original => AddGeneratedHalves(original, cancellation));

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
                && TabularTypeReader.ReadDeclaration(type) is { } half)
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
