using Microsoft.CodeAnalysis.CSharp;

namespace Smc.QueryCompiler.Generator;

/// <summary>Names in generated code: keywords escaped, nothing hidden by what the user declared.</summary>
internal static class TabularNames
{
    public const string Kernels = "global::Smc.Collections.Kernels.";

    public const string RowAccess = Kernels + "RowAccess";
    public const string RowHandle = Kernels + "RowHandle";
    public const string OpenRow = Kernels + "OpenRow";
    public const string ComingKey = Kernels + "ComingKey";
    public const string KeyChange = Kernels + "KeyChange";
    public const string NewRow = Kernels + "NewRow";
    public const string RowBatch = Kernels + "RowBatch";
    public const string RowBuffer = Kernels + "RowBuffer";
    public const string RowTransfer = Kernels + "RowTransfer";
    public const string RowText = Kernels + "RowText";
    public const string RowDebugView = Kernels + "RowDebugView";
    public const string ScaledDecimal = Kernels + "ScaledDecimal";
    public const string StoredColumn = Kernels + "StoredColumn";
    public const string StoredLayout = Kernels + "StoredLayout";
    public const string Collection = "global::Smc.Collections.Collection";
    public const string NoRow = "global::Smc.Collections.NoRow";
    public const string Optional = "global::Smc.Collections.Optional";
    public const string OptionalRow = "global::Smc.Collections.OptionalRow";
    public const string Schema = "global::Smc.Collections.TabularSchema";
    public const string ITabular = "global::Smc.Collections.ITabular";

    /// <summary>The name, with an <c>@</c> where it is a keyword.</summary>
    public static string Escape(string name) => SyntaxFacts.GetKeywordKind(name) != SyntaxKind.None ? "@" + name : name;

    /// <summary>A parameter's name for a property: <c>Key</c> → <c>key</c>, <c>ID</c> → <c>id</c>, <c>URLPath</c> → <c>urlPath</c>.</summary>
    public static string Parameter(string property)
    {
        int upper = 0;
        while (upper < property.Length && char.IsUpper(property[upper]))
            upper++;
        int lowered = upper <= 1 || upper == property.Length ? upper : upper - 1;
        return Escape(property.Substring(0, lowered).ToLowerInvariant() + property.Substring(lowered));
    }

    /// <summary>A name that none of the parameters has.</summary>
    public static string Free(string wanted, IEnumerable<TabularMember> members)
    {
        string name = wanted;
        while (members.Any(m => m.Parameter.TrimStart('@') == name))
            name = "_" + name;
        return name;
    }
}
