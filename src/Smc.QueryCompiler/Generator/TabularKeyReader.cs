using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>Reads the unique keys that a tabular type declares with <c>[Key]</c> and <c>[Unique]</c>.</summary>
/// <param name="type">The type.</param>
/// <param name="properties">Its stored properties.</param>
/// <param name="columns">The columns of these.</param>
internal sealed class TabularKeyReader(INamedTypeSymbol type, IReadOnlyList<IPropertySymbol> properties, IReadOnlyList<TabularColumn> columns)
{
    private const string Key = "Smc.Collections.KeyAttribute";
    private const string Unique = "Smc.Collections.UniqueAttribute";

    private readonly List<EquatableArray<string>> _keys = [];
    private readonly List<TabularProblem> _problems = [];
    private bool _hasKey;

    /// <summary>The rules that the declarations break.</summary>
    public IReadOnlyList<TabularProblem> Problems => _problems;

    /// <summary>The keys, each the names of its properties.</summary>
    public IReadOnlyList<EquatableArray<string>> Read()
    {
        foreach (IPropertySymbol property in properties)
        {
            foreach (AttributeData attribute in Attributes(property))
                Read(property, attribute, [property.Name, .. Names(attribute)], isOnProperty: true);
        }

        foreach (AttributeData attribute in Attributes(type))
            Read(type, attribute, Names(attribute), isOnProperty: false);
        return _keys;
    }

    private static IEnumerable<AttributeData> Attributes(ISymbol symbol) => symbol.GetAttributes().Where(attribute => attribute.AttributeClass?.ToDisplayString() is Key or Unique);

    private static string[] Names(AttributeData attribute) =>
        attribute.ConstructorArguments.Length == 1 && attribute.ConstructorArguments[0] is { Kind: TypedConstantKind.Array, IsNull: false } names
            ? [.. names.Values.Select(name => name.Value as string ?? "")]
            : [];

    private void Read(ISymbol where, AttributeData attribute, string[] names, bool isOnProperty)
    {
        bool isKey = attribute.AttributeClass!.ToDisplayString() == Key;
        string text = isKey ? "Key" : "Unique";
        if (names.Length == 0 || names.Length > (isOnProperty ? 1 : KeyColumns.Most) || names.Distinct(StringComparer.Ordinal).Count() < names.Length)
        {
            Report(TabularRules.KeyNamesProperties, where, text, where.Name);
            return;
        }

        foreach (string name in names)
        {
            TabularColumn? column = columns.FirstOrDefault(column => column.Name == name);
            if (column is null)
                Report(TabularRules.KeyNamesProperties, where, text, where.Name);
            else if (!KeyColumns.Allow(column.Type, column.Storage))
                Report(TabularRules.KeyTypeNotPermitted, where, text, name, properties.First(property => property.Name == name).Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat));
            else if (isKey && column.Type.IsNullable)
                Report(TabularRules.OneKeyThatIsNotNull, where, type.Name, $"'{name}' can be null");
            else
                continue;
            return;
        }

        if (isKey && _hasKey)
        {
            Report(TabularRules.OneKeyThatIsNotNull, where, type.Name, "it has another one");
            return;
        }

        _hasKey |= isKey;
        _keys.Add(names.ToEquatableArray());
    }

    private void Report(DiagnosticDescriptor rule, ISymbol where, params object[] arguments) => _problems.Add(TabularProblem.Of(rule, where, arguments));
}
