using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>Reads the keys that a tabular type declares with <c>[Key]</c>, <c>[Unique]</c> and <c>[Index]</c>.</summary>
/// <param name="type">The type.</param>
/// <param name="properties">Its stored properties.</param>
/// <param name="columns">The columns of these.</param>
internal sealed class TabularKeyReader(INamedTypeSymbol type, IReadOnlyList<IPropertySymbol> properties, IReadOnlyList<TabularColumn> columns)
{
    private const string Key = "Smc.Collections.KeyAttribute";
    private const string Unique = "Smc.Collections.UniqueAttribute";
    private const string Index = "Smc.Collections.IndexAttribute";

    private readonly List<TabularKey> _keys = [];
    private readonly List<TabularProblem> _problems = [];
    private bool _hasKey;

    /// <summary>The rules that the declarations break.</summary>
    public IReadOnlyList<TabularProblem> Problems => _problems;

    /// <summary>The keys.</summary>
    public IReadOnlyList<TabularKey> Read()
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

    private static IEnumerable<AttributeData> Attributes(ISymbol symbol) => symbol.GetAttributes().Where(attribute => attribute.AttributeClass?.ToDisplayString() is Key or Unique or Index);

    private static string[] Names(AttributeData attribute) =>
        attribute.ConstructorArguments.Length == 1 && attribute.ConstructorArguments[0] is { Kind: TypedConstantKind.Array, IsNull: false } names
            ? [.. names.Values.Select(name => name.Value as string ?? "")]
            : [];

    /// <summary>What is wrong with the names of a key, whatever they name; null if nothing is.</summary>
    private static string? WrongNames(string[] names, bool isOnProperty)
    {
        if (isOnProperty)
            return names.Length > 1 ? "has names, but on a property it means that property. Put a key of several properties on the struct." : null;
        if (names.Length == 0)
            return "names no property. On a struct it names the stored properties of the key.";
        if (names.Length > KeyColumns.Most)
            return $"names {names.Length} properties. A key has at most {KeyColumns.Most}.";
        return names.GroupBy(name => name, StringComparer.Ordinal).FirstOrDefault(same => same.Count() > 1) is { } twice ? $"names '{twice.Key}' more than once." : null;
    }

    private void Read(ISymbol where, AttributeData attribute, string[] names, bool isOnProperty)
    {
        string name = attribute.AttributeClass!.ToDisplayString();
        bool isKey = name == Key, isUnique = name != Index;
        string text = isKey ? "Key" : isUnique ? "Unique" : "Index";
        if (WrongNames(names, isOnProperty) is { } wrong)
        {
            Report(TabularRules.KeyNamesProperties, where, text, where.Name, wrong);
            return;
        }

        foreach (string property in names)
        {
            TabularColumn? column = columns.FirstOrDefault(column => column.Name == property);
            if (column is null)
                Report(TabularRules.KeyNamesProperties, where, text, where.Name, $"names '{property}', which is no stored property of the struct.");
            else if (!KeyColumns.Allow(column.Type, column.Storage))
                Report(TabularRules.KeyTypeNotPermitted, where, text, property, properties.First(stored => stored.Name == property).Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat));
            else if (isKey && column.Type.IsNullable)
                Report(TabularRules.OneKeyThatIsNotNull, where, type.Name, $"'{property}' can be null");
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
        _keys.Add(new TabularKey(names.ToEquatableArray(), isUnique));
    }

    private void Report(DiagnosticDescriptor rule, ISymbol where, params object[] arguments) => _problems.Add(TabularProblem.Of(rule, where, arguments));
}
