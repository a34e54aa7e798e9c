using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>All that the generator needs of one tabular type: value equality and no symbols, so that the pipeline caches it.</summary>
/// <param name="Namespace">The namespace, empty for the global one.</param>
/// <param name="ContainingTypes">The headers of the types around it, outermost first (<c>public static partial class Tables</c>).</param>
/// <param name="OuterNames">The names of the types around it, outermost first.</param>
/// <param name="Accessibility">The C# words of the struct's own accessibility.</param>
/// <param name="ExtensionAccessibility"><c>public</c> or <c>internal</c>, the most that an extension class may be; null when the type is not visible to one.</param>
/// <param name="ExtensionName">The name of the extension class, one that the user has not taken.</param>
/// <param name="Shape">The layout.</param>
/// <param name="Members">The stored properties, in the order of the shape's columns.</param>
/// <param name="Refused">Partial properties that broke a rule: implemented too, so that the rule is all that the user is told.</param>
/// <param name="Keys">The keys that have indexes.</param>
/// <param name="DeclaresToString">Whether the user wrote <c>ToString()</c>.</param>
/// <param name="DeclaresJsonConverter">Whether the user named a JSON converter for the struct.</param>
/// <param name="FormerName">The name of <c>[SavedAs]</c>, or null.</param>
/// <param name="Stub">What to generate instead when the type breaks a rule; null for a type that can be used.</param>
internal sealed record TabularDeclaration(
    string Namespace,
    EquatableArray<string> ContainingTypes,
    EquatableArray<string> OuterNames,
    string Accessibility,
    string? ExtensionAccessibility,
    string ExtensionName,
    TabularShape Shape,
    EquatableArray<TabularMember> Members,
    EquatableArray<TabularRefusedProperty> Refused,
    EquatableArray<TabularKey> Keys,
    bool DeclaresToString,
    bool DeclaresJsonConverter,
    TabularStub? Stub,
    string? FormerName)
{
    public string Name => Shape.Name;

    /// <summary>The detached record, next to the struct.</summary>
    public string DataName => Shape.Name + "Data";

    public string DataFullName => Shape.FullName.Substring(0, Shape.FullName.Length - TabularNames.Escape(Name).Length) + DataName;

    /// <summary>Whether the record, and what takes and returns it, can be generated.</summary>
    public bool HasData => Stub is null || (Stub.CanBeRow && Stub.Declares(DataName));

    /// <summary>The nested class with the column constants.</summary>
    public string ColumnsName => Shape.Name + "Columns";

    /// <summary>The accessibility of members that name all the columns' types: a column that is not public may be of a type that others cannot see.</summary>
    public string MemberAccessibility => Members.All(m => m.HasPublicType) ? "public" : "internal";

    public int IndexOf(TabularMember member) => Members.TakeWhile(m => m != member).Count();
}

/// <summary>A stored property with what only its implementation needs.</summary>
/// <param name="Column">Its place in a block.</param>
/// <param name="Declared">Its type as declared, nullable marks included.</param>
/// <param name="Modifiers">The words before the type (<c>public new partial</c>), as a partial implementation must repeat them.</param>
/// <param name="GetterModifier">The getter's own accessibility followed by a space, or empty.</param>
/// <param name="SetterModifier">The setter's own accessibility followed by a space, or empty.</param>
/// <param name="Parameter">The name of its parameter in <c>Add</c> and <c>Set</c>, escaped where it is a keyword.</param>
/// <param name="Rounding">The <c>System.MidpointRounding</c> member to round with, or null.</param>
/// <param name="HasPublicType">Whether everybody can name <paramref name="Declared"/>.</param>
/// <param name="TargetCanBeNull">Whether <paramref name="Declared"/> is <c>Nullable&lt;T&gt;</c> or an annotated reference type.</param>
/// <param name="FormerName">The name of <c>[SavedAs]</c>, or null.</param>
/// <param name="OnRemove">The <c>RemoveBehavior</c> member of <c>[OnRemove]</c>, or null.</param>
internal sealed record TabularMember(
    ColumnShape Column,
    string Declared,
    string Modifiers,
    string GetterModifier,
    string SetterModifier,
    string Parameter,
    string? Rounding,
    bool HasPublicType,
    bool TargetCanBeNull,
    string? FormerName,
    string? OnRemove)
{
    public string Name => Column.Name;

    public bool IsPublic => Modifiers.Split(' ').Contains("public");

    /// <summary>Whether <c>Add</c> may be called without the value.</summary>
    public bool IsOptional => TargetCanBeNull || Column.DefaultText is not null || Column.IsReference;
}

/// <summary>What is generated for a type into which the generated members do not fit: declarations that throw, so that the rule's error is the only one.</summary>
/// <param name="Header">The words before the type's name.</param>
/// <param name="TypeParameters">The type parameters with their brackets, or empty.</param>
/// <param name="Taken">Names that are declared already: nothing of these names is generated.</param>
/// <param name="CanBeRow">Whether <c>Collection</c> accepts the type as its type argument.</param>
internal sealed record TabularStub(string Header, string TypeParameters, EquatableArray<string> Taken, bool CanBeRow)
{
    public bool Declares(string name) => !Taken.Contains(name);
}

/// <summary>A partial property that cannot be stored.</summary>
/// <param name="Declared">Its type as declared, <c>ref</c> included.</param>
/// <param name="Name">Its name, escaped where it is a keyword; <c>this[…]</c> for an indexer.</param>
/// <param name="Modifiers">The words before the type.</param>
/// <param name="Getter">The getter with its own accessibility, or null.</param>
/// <param name="Setter">The setter with its own accessibility, or null.</param>
internal sealed record TabularRefusedProperty(string Declared, string Name, string Modifiers, string? Getter, string? Setter)
{
    /// <summary>Writes an implementation that throws, so that the rule's error is the only one.</summary>
    public void EmitThrowing(CodeWriter code)
    {
        using (code.Open($"{Modifiers} {Declared} {Name}"))
        {
            if (Getter is not null)
                code.Line($"{Getter} => throw null!;");
            if (Setter is not null)
                code.Line($"{Setter} => throw null!;");
        }

        code.Line();
    }
}
