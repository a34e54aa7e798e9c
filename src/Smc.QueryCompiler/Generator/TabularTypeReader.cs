using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Reads a tabular type from its symbol: partial properties in source, properties with <c>[StoredColumn]</c> in referenced assemblies.
/// The same reading feeds the generator, the diagnostics and the query front end, so all agree about what a column is.
/// </summary>
internal sealed class TabularTypeReader
{
    public const string TabularAttribute = "Smc.Collections.TabularAttribute";

    private const string StoredColumnAttribute = "Smc.Collections.Kernels.StoredColumnAttribute";

    private const string StoredLayoutAttribute = "Smc.Collections.Kernels.StoredLayoutAttribute";

    /// <summary>Files of this ending hold our own half of a tabular type.</summary>
    public const string GeneratedFileEnding = ".Tabular.g.cs";

    private static readonly SymbolDisplayFormat DeclaredFormat = SymbolDisplayFormat.FullyQualifiedFormat
        .AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    private static readonly HashSet<string> GeneratedMembers = new(StringComparer.Ordinal)
    {
        "IsNull", "IsAlive", "Set", "TryRead", "ToData", "Equals", "GetHashCode", "ToString", "_handle",
    };

    /// <summary>Members of every record, which the record of a row's values cannot declare as properties.</summary>
    private static readonly HashSet<string> RecordMembers = new(StringComparer.Ordinal) { "Clone", "EqualityContract", "PrintMembers" };

    /// <summary>Generated into types that no extension class can see.</summary>
    private static readonly HashSet<string> GeneratedIntoHiddenTypes = new(StringComparer.Ordinal) { "Add", "AddRange", "AddRangeAsync" };

    /// <summary>Every query over a type asks for its shape; a symbol lives no longer than its compilation.</summary>
    private static readonly ConditionalWeakTable<INamedTypeSymbol, StrongBox<TabularShape?>> s_shapes = new();

    private readonly INamedTypeSymbol _type;
    private readonly List<TabularProblem> _problems = [];
    private readonly List<IPropertySymbol> _properties = [];
    private readonly List<TabularColumn> _columns = [];
    private readonly List<IPropertySymbol> _refused = [];
    private readonly List<TabularKey> _keys = [];

    private TabularTypeReader(INamedTypeSymbol type) => _type = type;

    /// <summary>The shape of a tabular type without errors.</summary>
    public static bool TryRead(INamedTypeSymbol type, out TabularShape shape)
    {
        shape = s_shapes.GetValue(type, static t => new StrongBox<TabularShape?>(ReadShape(t))).Value!;
        return shape is not null;
    }

    private static TabularShape? ReadShape(INamedTypeSymbol type)
    {
        if (!PlanTypeReader.IsTabular(type))
            return null;
        TabularTypeReader reader = new(type);
        reader.Read();
        if (reader._problems.Count > 0)
            return null;
        return reader.IsFromSource ? reader.PlanShape() : reader.StoredShape();
    }

    /// <summary>What to generate for a type of the project, and every rule that it breaks.</summary>
    public static TabularReading ReadDeclaration(INamedTypeSymbol type)
    {
        TabularTypeReader reader = new(type);
        reader.Read();
        return new TabularReading(reader.CanBeGenerated ? reader.ToDeclaration() : null, reader._problems.ToEquatableArray());
    }

    /// <summary>
    /// A file-local type cannot have a part in another file. A second part of a type that is not partial is CS0260; without it each partial property is an error.
    /// </summary>
    private bool CanBeGenerated => !IsFileLocal && (StoredProperties().Any() || ContainingTypes().Prepend(_type).All(IsDeclaredPartial));

    /// <summary>Whether the generated members do not fit into the type: declarations that throw are generated instead.</summary>
    private bool NeedsStub => _columns.Count == 0 || IsGeneric || _type.IsRefLikeType || _type.IsRecord || _problems.Any(p => IsBroken(p, TabularRules.MustNotHaveField)
        || IsBroken(p, TabularRules.MustNotHaveBackingField) || IsBroken(p, TabularRules.DataTypeNameTaken) || IsBroken(p, TabularRules.NameCollides));

    private bool IsFromSource => _type.DeclaringSyntaxReferences.Length > 0;

    private bool IsGeneric => _type.IsGenericType;

    private bool IsFileLocal => ContainingTypes().Prepend(_type).Any(t => t.IsFileLocal);

    private static bool IsBroken(TabularProblem problem, DiagnosticDescriptor rule) => problem.Id == rule.Id;

    private void Read()
    {
        if (IsFromSource)
            CheckType();
        foreach (IPropertySymbol property in StoredProperties())
            ReadProperty(property);
        if (!IsFromSource)
            return;
        TabularKeyReader keys = new(_type, _properties, _columns);
        _keys.AddRange(keys.Read());
        _problems.AddRange(keys.Problems);
        CheckNames();
        CheckSize();
    }

    private void CheckType()
    {
        if (_type.IsRecord)
            Report(TabularRules.MustNotBeRecord, _type, _type.Name);
        if (IsFileLocal)
            Report(TabularRules.MustNotBeFileLocal, _type, _type.Name);
        if (_type.IsRefLikeType)
            Report(TabularRules.MustNotBeRefStruct, _type, _type.Name);
        if (!_type.IsReadOnly)
            Report(TabularRules.MustBeReadOnly, _type, _type.Name);
        if (!IsDeclaredPartial(_type))
            Report(TabularRules.MustBePartial, _type, _type.Name);
        if (IsGeneric)
            Report(TabularRules.MustNotBeGeneric, _type, _type.Name);
        foreach (INamedTypeSymbol outer in ContainingTypes().Where(t => !IsDeclaredPartial(t)))
            Report(TabularRules.ContainingTypeMustBePartial, _type, _type.Name, outer.Name);
        if (_type.InstanceConstructors.FirstOrDefault(c => !c.IsImplicitlyDeclared) is { } constructor && !_type.IsRecord)
            Report(TabularRules.MustNotHaveConstructor, constructor, _type.Name);
        CheckFields();
    }

    private void CheckFields()
    {
        foreach (IFieldSymbol field in _type.GetMembers().OfType<IFieldSymbol>().Where(f => !f.IsStatic && !IsGenerated(f)))
        {
            string type = field.Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat);
            if (field.AssociatedSymbol is IPropertySymbol property)
            {
                if (!IsParameterOfRecord(property))
                    Report(TabularRules.MustNotHaveBackingField, property, property.Name, _type.Name, type);
            }
            else if (!field.IsImplicitlyDeclared)
            {
                Report(TabularRules.MustNotHaveField, field, field.Name, _type.Name, type);
            }
        }
    }

    /// <summary>A positional property goes away with the word <c>record</c>, which is reported.</summary>
    private static bool IsParameterOfRecord(IPropertySymbol property) => property.DeclaringSyntaxReferences.Any(r => r.GetSyntax() is ParameterSyntax);

    private IEnumerable<IPropertySymbol> StoredProperties()
    {
        IEnumerable<IPropertySymbol> properties = _type.GetMembers().OfType<IPropertySymbol>();
        return IsFromSource
            ? properties.Where(p => p.IsPartialDefinition && (p.PartialImplementationPart is not { } part || IsGenerated(part)))
            : properties.Where(p => Ordinal(p) >= 0).OrderBy(Ordinal);
    }

    private void ReadProperty(IPropertySymbol property)
    {
        int before = _problems.Count;
        PlanType plan = ColumnType(property.Type);
        if (IsFromSource)
            CheckForm(property);
        (int precision, int scale, string? rounding) = ReadPrecision(property, plan);
        (StorageKind storage, int width) = TabularTypeMap.StorageOf(ValueType(property.Type), plan, precision);
        // The compiler reports a type that does not exist, and type parameters are those of a generic type, which is reported as such.
        if (width == 0 && IsFromSource && ValueType(property.Type).TypeKind is not (Microsoft.CodeAnalysis.TypeKind.Error or Microsoft.CodeAnalysis.TypeKind.TypeParameter))
            Report(TabularRules.MemberTypeNotPermitted, property, property.Name, property.Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat), WhyNotPermitted(property.Type, plan));
        if (Attribute(property, "Smc.Collections.DirectAttribute") is not null)
            storage = ReadDirect(property, storage);
        string? onRemove = ReadOnRemove(property, storage);
        string? defaultText = ReadDefault(property, plan, precision, scale);
        if (_problems.Count > before || (width == 0 && IsFromSource))
        {
            _refused.Add(property);
            return;
        }

        _properties.Add(property);
        _columns.Add(new TabularColumn(property.Name, plan, storage, width, precision, scale, rounding, defaultText, onRemove));
    }

    /// <summary>As the plan reads types, but a string declared without nullable annotations may be null.</summary>
    private static PlanType ColumnType(ITypeSymbol type)
    {
        PlanType plan = PlanTypeReader.Read(type);
        return type.IsReferenceType && type.NullableAnnotation == NullableAnnotation.None ? plan.AsNullable() : plan;
    }

    private void CheckForm(IPropertySymbol property)
    {
        string type = property.Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat);
        if (property.IsStatic)
            Report(TabularRules.MustNotBeStatic, property, property.Name);
        // A property that returns by reference has no setter.
        if (property.RefKind == RefKind.None && (property.GetMethod is null || property.SetMethod is null))
            Report(TabularRules.MustHaveGetterAndSetter, property, property.Name);
        else if (property.SetMethod is { IsInitOnly: true })
            Report(TabularRules.MustNotBeInitOnly, property, property.Name);
        if (property.IsIndexer)
            Report(TabularRules.PropertyFormNotPermitted, property, "Item", "is an indexer", type);
        else if (property.RefKind != RefKind.None)
            Report(TabularRules.PropertyFormNotPermitted, property, property.Name, "returns by reference", type);
        else if (property.IsRequired)
            Report(TabularRules.PropertyFormNotPermitted, property, property.Name, "is 'required', but handles are not constructed", type);
    }

    private (int Precision, int Scale, string? Rounding) ReadPrecision(IPropertySymbol property, PlanType plan)
    {
        if (Attribute(property, "Smc.Collections.PrecisionAttribute") is not { } attribute)
            return default;
        if (plan.Kind != TypeKind.Decimal)
        {
            Report(TabularRules.PrecisionNeedsDecimal, property, property.Name, property.Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat));
            return default;
        }

        int precision = attribute.ConstructorArguments.Length > 0 && attribute.ConstructorArguments[0].Value is int p ? p : 0;
        int scale = attribute.ConstructorArguments.Length > 1 && attribute.ConstructorArguments[1].Value is int s ? s : 0;
        if (precision is < 1 or > 28 || scale < 0 || scale > precision)
        {
            Report(TabularRules.PrecisionOutOfRange, property, property.Name, precision, scale);
            return default;
        }

        return (precision, scale, RoundingOf(attribute));
    }

    private StorageKind ReadDirect(IPropertySymbol property, StorageKind storage)
    {
        if (storage == StorageKind.Reference)
            return StorageKind.DirectReference;
        Report(TabularRules.DirectNeedsReference, property, property.Name, property.Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat));
        return storage;
    }

    private string? ReadOnRemove(IPropertySymbol property, StorageKind storage)
    {
        if (Attribute(property, "Smc.Collections.OnRemoveAttribute") is not { ConstructorArguments.Length: 1 } attribute || attribute.ConstructorArguments[0].Value is not int value)
            return null;
        if (storage == StorageKind.Reference)
        {
            string? behavior = attribute.ConstructorArguments[0].Type!.GetMembers().OfType<IFieldSymbol>().FirstOrDefault(f => f.ConstantValue is int c && c == value)?.Name;
            if (IsFromSource && behavior == "SetNull" && property.Type.OriginalDefinition.SpecialType != SpecialType.System_Nullable_T)
                Report(TabularRules.SetNullNeedsOptional, property, property.Name, property.Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat));
            return behavior;
        }

        Report(TabularRules.OnRemoveNeedsReference, property, property.Name, storage == StorageKind.DirectReference
            ? "refers to rows by their place"
            : $"is of type '{property.Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat)}'");
        return null;
    }

    private static string? RoundingOf(AttributeData attribute)
    {
        TypedConstant rounding = attribute.NamedArguments.FirstOrDefault(a => a.Key == "Rounding").Value;
        return rounding.Value is int value
            ? rounding.Type!.GetMembers().OfType<IFieldSymbol>().FirstOrDefault(f => f.ConstantValue is int c && c == value)?.Name
            : null;
    }

    private string? ReadDefault(IPropertySymbol property, PlanType plan, int precision, int scale)
    {
        if (Attribute(property, "Smc.Collections.DefaultAttribute") is not { ConstructorArguments.Length: > 0 } attribute)
            return null;
        TypedConstant argument = attribute.ConstructorArguments[0];
        string? text = TabularDefault.Format(argument, property.Type, plan, precision, scale, out string why);
        if (text is null)
            Report(TabularRules.DefaultDoesNotFit, property, property.Name, argument.ToCSharpString(), property.Type.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat), why);
        return text;
    }

    private static string WhyNotPermitted(ITypeSymbol type, PlanType plan) => (plan.Kind, type.SpecialType) switch
    {
        (TypeKind.Tuple, _) => "the layout of a tuple is not fixed. Declare a struct, or one property per element.",
        (_, SpecialType.System_IntPtr or SpecialType.System_UIntPtr) => "its size depends on the platform. Use long or ulong.",
        (TypeKind.Struct, _) when !ValueType(type).IsUnmanagedType => "it holds references to managed objects. Store their values in stored properties of their own.",
        (TypeKind.Struct, _) => "its size is not known to the compiler. Declare a struct of your own with the same fields.",
        _ when type is IArrayTypeSymbol { ElementType.SpecialType: SpecialType.System_Byte } => "arrays are managed objects. Use ReadOnlyMemory<byte>, which is copied in and out.",
        _ when type.TypeKind is Microsoft.CodeAnalysis.TypeKind.Pointer or Microsoft.CodeAnalysis.TypeKind.FunctionPointer => "a pointer is not a value. Use ulong.",
        _ when type.IsReferenceType => "it is a managed object. Use string, ReadOnlyMemory<byte>, a struct without references, or a tabular type.",
        _ => "use a number, a date, an enum, string, ReadOnlyMemory<byte>, a struct without references, or a tabular type.",
    };

    private void CheckNames()
    {
        foreach (ISymbol member in _type.GetMembers().Where(m => !m.IsImplicitlyDeclared && !IsGenerated(m) && IsTaken(m) && m is not IMethodSymbol { Name: "ToString" }))
            Report(TabularRules.NameCollides, member, member.Name, _type.Name);
        CheckParameterNames();
        string data = _type.Name + "Data";
        IEnumerable<INamedTypeSymbol> neighbours = _type.ContainingType?.GetTypeMembers(data) ?? _type.ContainingNamespace.GetTypeMembers(data);
        if (neighbours.Any(t => t.Arity == 0 && !IsGeneratedType(t) && SymbolEqualityComparer.Default.Equals(t.ContainingAssembly, _type.ContainingAssembly)))
            Report(TabularRules.DataTypeNameTaken, _type, data, _type.Name);
    }

    /// <summary>The second property of a parameter's name is refused, so that <c>Add</c> and <c>Set</c> have the first.</summary>
    private void CheckParameterNames()
    {
        Dictionary<string, IPropertySymbol> parameters = new(StringComparer.Ordinal);
        foreach (IPropertySymbol property in _properties.ToArray())
        {
            string parameter = TabularNames.Parameter(property.Name);
            if (!parameters.TryGetValue(parameter, out IPropertySymbol? other))
            {
                parameters.Add(parameter, property);
                continue;
            }

            Report(TabularRules.ParameterNamesCollide, property, other.Name, property.Name, parameter);
            _columns.RemoveAt(_properties.IndexOf(property));
            _properties.Remove(property);
            _refused.Add(property);
        }
    }

    /// <summary>Whether the record of a row's values can have a property of this name.</summary>
    public static bool FitsRecord(string name) => !GeneratedMembers.Contains(name) && !RecordMembers.Contains(name);

    private bool IsTaken(ISymbol member) => IsTaken(member.Name) || (member is IPropertySymbol { IsPartialDefinition: true } && RecordMembers.Contains(member.Name));

    private bool IsTaken(string name) => GeneratedMembers.Contains(name)
        || name == _type.Name + "Columns" || name == _type.Name + "Data"
        || (GeneratedIntoHiddenTypes.Contains(name) && ExtensionAccessibility() is null);

    private void CheckSize()
    {
        if (_columns.Count == 0 && _refused.Count == 0 && !_type.IsRecord)
            Report(TabularRules.MustHaveColumns, _type, _type.Name);
        int bytes = TabularLayoutPlanner.RowBytes(_columns);
        if (bytes > TabularLayoutPlanner.MaxRowBytes)
            Report(TabularRules.RowTooWide, _type, _type.Name, bytes, TabularLayoutPlanner.MaxRowBytes);
    }

    private TabularShape PlanShape() =>
        TabularLayoutPlanner.Plan(FullName, _type.Name, LayoutOf(), _columns);

    /// <summary>
    /// The shape that a referenced assembly was compiled with: taken from its attributes, because it may have been planned by another version,
    /// and because its private columns are not visible here. Null when the generator did not run there.
    /// </summary>
    private TabularShape? StoredShape()
    {
        if (Attribute(_type, StoredLayoutAttribute) is not { ConstructorArguments.Length: 4 } layout)
            return null;
        int Layout(int i) => (int)layout.ConstructorArguments[i].Value!;
        return new TabularShape(
            FullName, _type.Name, LayoutOf(), Layout(0), Layout(1), Layout(2),
            _columns.Select((c, i) => StoredColumn(c, _properties[i])).ToEquatableArray(),
            (ulong)layout.ConstructorArguments[3].Value!);
    }

    private static ColumnShape StoredColumn(TabularColumn column, IPropertySymbol property)
    {
        AttributeData attribute = Attribute(property, StoredColumnAttribute)!;
        int Stored(int i) => (int)attribute.ConstructorArguments[i].Value!;
        return new ColumnShape(
            column.Name, column.Type, column.Storage, Width: Stored(1), Offset: Stored(2), Stride: Stored(3), column.Precision, column.Scale,
            column.Rounding is not null, NullBitmapOffset: Stored(4), ZoneMapOffset: Stored(5),
            SketchOffset: Stored(6), column.DefaultText);
    }

    private string FullName => _type.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);

    private LayoutKind LayoutOf()
    {
        AttributeData? attribute = Attribute(_type, TabularAttribute);
        object? layout = attribute?.NamedArguments.FirstOrDefault(a => a.Key == "Layout").Value.Value;
        return layout is 1 ? LayoutKind.Row : LayoutKind.Columnar;
    }

    private TabularDeclaration ToDeclaration()
    {
        TabularShape shape = PlanShape();
        return new TabularDeclaration(
            _type.ContainingNamespace.IsGlobalNamespace ? "" : _type.ContainingNamespace.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat
                .WithGlobalNamespaceStyle(SymbolDisplayGlobalNamespaceStyle.Omitted)),
            ContainingTypes().Reverse().Select(Header).ToEquatableArray(),
            ContainingTypes().Reverse().Select(t => t.Name).ToEquatableArray(),
            AccessibilityText(_type.DeclaredAccessibility),
            ExtensionAccessibility(),
            ExtensionName(),
            shape,
            _properties.Select((p, i) => ToMember(p, shape.Columns[i], _columns[i])).ToEquatableArray(),
            _refused.Select(ToRefused).ToEquatableArray(),
            _keys.ToEquatableArray(),
            _type.GetMembers("ToString").OfType<IMethodSymbol>().Any(m => m.Parameters.Length == 0 && !m.IsImplicitlyDeclared && !IsGenerated(m)),
            _type.GetAttributes().Any(a => a.AttributeClass?.Name == "JsonConverterAttribute" && !IsGenerated(a)),
            NeedsStub ? ToStub() : null,
            FormerName(_type));
    }

    private static bool IsGenerated(AttributeData attribute) => attribute.ApplicationSyntaxReference?.SyntaxTree.FilePath.EndsWith(GeneratedFileEnding, StringComparison.Ordinal) == true;

    private TabularStub ToStub() => new(
        _type.IsRecord ? "partial record struct" : "partial struct",
        TypeParameters(_type),
        _type.GetMembers().Where(m => !m.IsImplicitlyDeclared && !IsGenerated(m)).Select(m => m.Name)
            .Concat(_problems.Any(p => IsBroken(p, TabularRules.DataTypeNameTaken)) ? [_type.Name + "Data"] : [])
            .Distinct().ToEquatableArray(),
        CanBeRow: !IsGeneric && !_type.IsRefLikeType);

    private static string TypeParameters(INamedTypeSymbol type) =>
        type.TypeParameters.Length == 0 ? "" : $"<{string.Join(", ", type.TypeParameters.Select(p => TabularNames.Escape(p.Name)))}>";

    private static TabularMember ToMember(IPropertySymbol property, ColumnShape shape, TabularColumn column) => new(
        shape,
        Declared(property.Type),
        Modifiers(property),
        AccessorModifier(property.GetMethod!, property),
        AccessorModifier(property.SetMethod!, property),
        TabularNames.Parameter(property.Name),
        column.Rounding,
        IsPublic(property.Type),
        column.Type.IsNullable,
        FormerName(property),
        column.OnRemove);

    private static string? FormerName(ISymbol symbol) =>
        Attribute(symbol, "Smc.Collections.SavedAsAttribute") is { ConstructorArguments.Length: 1 } attribute ? attribute.ConstructorArguments[0].Value as string : null;

    /// <summary>The type as declared; a string declared without nullable annotations gets the mark that says what it may hold.</summary>
    private static string Declared(ITypeSymbol type) =>
        (type.IsReferenceType && type.NullableAnnotation == NullableAnnotation.None ? type.WithNullableAnnotation(NullableAnnotation.Annotated) : type)
        .ToDisplayString(DeclaredFormat);

    private static TabularRefusedProperty ToRefused(IPropertySymbol property) => new(
        property.RefKind switch { RefKind.Ref => "ref ", RefKind.RefReadOnly => "ref readonly ", _ => "" } + property.Type.ToDisplayString(DeclaredFormat),
        property.IsIndexer
            ? $"this[{string.Join(", ", property.Parameters.Select(p => $"{p.Type.ToDisplayString(DeclaredFormat)} {TabularNames.Escape(p.Name)}"))}]"
            : TabularNames.Escape(property.Name),
        Modifiers(property),
        property.GetMethod is { } getter ? AccessorModifier(getter, property) + "get" : null,
        property.SetMethod is { } setter ? AccessorModifier(setter, property) + (setter.IsInitOnly ? "init" : "set") : null);

    private static bool IsPublic(ITypeSymbol type)
    {
        for (ITypeSymbol? t = ValueType(type); t is not null; t = t.ContainingType)
        {
            if (t.DeclaredAccessibility != Accessibility.Public || (t is INamedTypeSymbol named && !named.TypeArguments.All(IsPublic)))
                return false;
        }

        return true;
    }

    /// <summary>The modifiers of the definition, from its syntax: an implementation must repeat each of them.</summary>
    private static string Modifiers(IPropertySymbol property) =>
        property.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is BasePropertyDeclarationSyntax syntax
            ? string.Join(" ", syntax.Modifiers.Select(m => m.Text))
            : AccessibilityText(property.DeclaredAccessibility) + " partial";

    private static string AccessorModifier(IMethodSymbol accessor, IPropertySymbol property) =>
        accessor.DeclaredAccessibility == property.DeclaredAccessibility ? "" : AccessibilityText(accessor.DeclaredAccessibility) + " ";

    private string? ExtensionAccessibility()
    {
        bool isPublic = true;
        foreach (INamedTypeSymbol type in ContainingTypes().Prepend(_type))
        {
            if (type.DeclaredAccessibility is Accessibility.Private or Accessibility.Protected or Accessibility.ProtectedAndInternal)
                return null;
            isPublic &= type.DeclaredAccessibility == Accessibility.Public;
        }

        return isPublic ? "public" : "internal";
    }

    private string ExtensionName()
    {
        string name = string.Concat(ContainingTypes().Reverse().Select(t => t.Name + "_")) + _type.Name + "CollectionExtensions";
        while (_type.ContainingNamespace.GetTypeMembers(name).Any(t => !IsGenerated(t)))
            name = "_" + name;
        return name;
    }

    private IEnumerable<INamedTypeSymbol> ContainingTypes()
    {
        for (INamedTypeSymbol? type = _type.ContainingType; type is not null; type = type.ContainingType)
            yield return type;
    }

    private static string Header(INamedTypeSymbol type)
    {
        string kind = type switch
        {
            { IsRecord: true, IsValueType: true } => "record struct",
            { IsRecord: true } => "record",
            { TypeKind: Microsoft.CodeAnalysis.TypeKind.Interface } => "interface",
            { IsValueType: true } => "struct",
            _ => "class",
        };
        return $"partial {kind} {TabularNames.Escape(type.Name)}{TypeParameters(type)}";
    }

    private static bool IsDeclaredPartial(INamedTypeSymbol type) => type.DeclaringSyntaxReferences
        .All(r => r.GetSyntax() is TypeDeclarationSyntax d && d.Modifiers.Any(SyntaxKind.PartialKeyword));

    private static bool IsGenerated(ISymbol symbol) =>
        symbol.DeclaringSyntaxReferences.Length > 0 && symbol.DeclaringSyntaxReferences.All(r => r.SyntaxTree.FilePath.EndsWith(GeneratedFileEnding, StringComparison.Ordinal));

    /// <summary>A record that the user extends with a part of their own is still generated.</summary>
    private static bool IsGeneratedType(INamedTypeSymbol type) => type.IsRecord && IsDeclaredPartial(type);

    private static int Ordinal(IPropertySymbol property) =>
        Attribute(property, StoredColumnAttribute) is { ConstructorArguments.Length: 7 } a && a.ConstructorArguments[0].Value is int ordinal ? ordinal : -1;

    private static AttributeData? Attribute(ISymbol symbol, string fullName) =>
        symbol.GetAttributes().FirstOrDefault(a => a.AttributeClass?.ToDisplayString() == fullName);

    private static ITypeSymbol ValueType(ITypeSymbol type) => PlanTypeReader.NullableUnderlying(type) ?? type;

    private static string AccessibilityText(Accessibility accessibility) => accessibility switch
    {
        Accessibility.Public => "public",
        Accessibility.Internal => "internal",
        Accessibility.Protected => "protected",
        Accessibility.ProtectedOrInternal => "protected internal",
        Accessibility.ProtectedAndInternal => "private protected",
        _ => "private",
    };

    private void Report(DiagnosticDescriptor rule, ISymbol where, params object[] arguments) => _problems.Add(TabularProblem.Of(rule, where, arguments));
}
