using Microsoft.CodeAnalysis;

namespace Smc.QueryCompiler.Generator;

/// <summary>What a tabular type may not do. Each rule has a page of the same number under <c>docs/diagnostics</c>.</summary>
internal static class TabularRules
{
    private const string Category = "Smc.Tabular";

    public static readonly DiagnosticDescriptor MustNotBeRecord = Rule(
        "SMC0001", "A tabular type is a plain struct",
        "'{0}' is a record struct: its 'with' would copy a reference, not a row. Declare it as 'readonly partial struct {0}'.");

    public static readonly DiagnosticDescriptor MustBeReadOnly = Rule(
        "SMC0002", "A tabular struct is readonly",
        "'{0}' must be readonly, because it is a handle whose setters write to the row. Declare it as 'readonly partial struct {0}'.");

    public static readonly DiagnosticDescriptor MustBePartial = Rule(
        "SMC0003", "A tabular struct is partial",
        "'{0}' must be partial, so that the generator can implement its properties. Declare it as 'readonly partial struct {0}'.");

    public static readonly DiagnosticDescriptor MustNotBeGeneric = Rule(
        "SMC0004", "A tabular struct is not generic",
        "'{0}' has type parameters, or lies in a type that has: the layout of a row is fixed at compile time. Declare one tabular struct per type of row.");

    public static readonly DiagnosticDescriptor ContainingTypeMustBePartial = Rule(
        "SMC0005", "Types around a tabular struct are partial",
        "'{0}' lies in '{1}', which is not partial. Make '{1}' partial or move '{0}' out of it.");

    public static readonly DiagnosticDescriptor MustNotBeRefStruct = Rule(
        "SMC0006", "A tabular struct is not a ref struct",
        "'{0}' is a ref struct and could not be stored in a collection. Remove 'ref'.");

    public static readonly DiagnosticDescriptor MustHaveColumns = Rule(
        "SMC0007", "A tabular struct has columns",
        "'{0}' has no stored property. Declare at least one, such as 'public partial int Key {{ get; set; }}'.");

    public static readonly DiagnosticDescriptor MustNotHaveConstructor = Rule(
        "SMC0008", "A tabular struct has no constructor",
        "'{0}' declares a constructor, but rows are made by 'collection.Add(...)' and 'default' is the null handle. Remove the constructor.");

    public static readonly DiagnosticDescriptor RowTooWide = Rule(
        "SMC0009", "A row fits its block",
        "A row of '{0}' takes {1} bytes; the limit is {2}. Move wide values into a string, into ReadOnlyMemory<byte> or into a tabular type of their own.");

    public static readonly DiagnosticDescriptor MustNotHaveField = Rule(
        "SMC0010", "A tabular struct has no instance fields",
        "Field '{0}' of '{1}' would be a part of the handle, not of the row. Declare 'public partial {2} {0} {{ get; set; }}' instead, or make the field static.");

    public static readonly DiagnosticDescriptor MustNotHaveBackingField = Rule(
        "SMC0011", "Stored properties are partial",
        "Property '{0}' of '{1}' stores its value in the handle, not in the row. Declare it as 'public partial {2} {0} {{ get; set; }}', or compute it with '=>'.");

    public static readonly DiagnosticDescriptor MustHaveGetterAndSetter = Rule(
        "SMC0012", "Stored properties have a getter and a setter",
        "Stored property '{0}' needs both 'get' and 'set'. A setter may be private: '{{ get; private set; }}'.");

    public static readonly DiagnosticDescriptor MustNotBeInitOnly = Rule(
        "SMC0013", "Stored properties are not init-only",
        "Stored property '{0}' has 'init', but a row is not constructed through its handle. Use 'set', or 'private set' to keep others from writing.");

    public static readonly DiagnosticDescriptor MustNotBeStatic = Rule(
        "SMC0014", "Stored properties are instance properties",
        "Partial property '{0}' is static and belongs to no row. Remove 'static', or implement the property.");

    public static readonly DiagnosticDescriptor MemberTypeNotPermitted = Rule(
        "SMC0015", "Stored properties have a type that fits outside the managed heap",
        "Property '{0}' has type '{1}', which cannot be stored outside the managed heap: {2}");

    public static readonly DiagnosticDescriptor PropertyFormNotPermitted = Rule(
        "SMC0016", "Stored properties are plain properties",
        "Partial property '{0}' {1}. Stored properties are declared as 'public partial {2} {0} {{ get; set; }}'.");

    public static readonly DiagnosticDescriptor MustNotBeFileLocal = Rule(
        "SMC0017", "A tabular struct is not file-local",
        "'{0}' is file-local, so the generator cannot add its half in another file. Make it internal, or private within a class.");

    public static readonly DiagnosticDescriptor PrecisionNeedsDecimal = Rule(
        "SMC0020", "[Precision] is for decimals",
        "[Precision] stands on '{0}', which is of type '{1}'. Remove it or make the property a decimal.");

    public static readonly DiagnosticDescriptor PrecisionOutOfRange = Rule(
        "SMC0021", "[Precision] is within what a decimal can hold",
        "[Precision({1}, {2})] on '{0}' is out of range: the precision is 1 to 28 digits and the scale 0 to the precision");

    public static readonly DiagnosticDescriptor DefaultDoesNotFit = Rule(
        "SMC0022", "[Default] has a value of the property's type",
        "[Default({1})] on '{0}' is not a value of type '{2}'{3}");

    public static readonly DiagnosticDescriptor DirectNeedsReference = Rule(
        "SMC0023", "[Direct] is for references to rows",
        "[Direct] stands on '{0}', which is of type '{1}'. Remove it or make the property a tabular type.");

    public static readonly DiagnosticDescriptor KeyTypeNotPermitted = Rule(
        "SMC0024", "Keys have a type that can be compared",
        "[{0}] is on '{1}', which is of type '{2}' and cannot be in a key. Keys are integers, enums, bool, char, decimal, Guid, dates, times and string.");

    public static readonly DiagnosticDescriptor KeyNamesProperties = Rule(
        "SMC0025", "A key of several properties names them",
        "[{0}] on '{1}' {2}");

    public static readonly DiagnosticDescriptor OneKeyThatIsNotNull = Rule(
        "SMC0026", "A type has one key, which is not null",
        "[Key] does not fit '{0}': {1}. Use [Unique].");

    public static readonly DiagnosticDescriptor OnRemoveNeedsReference = Rule(
        "SMC0027", "[OnRemove] is for references by handle",
        "[OnRemove] stands on '{0}', which {1}. Remove it or make the property a tabular type without [Direct].");

    public static readonly DiagnosticDescriptor SetNullNeedsOptional = Rule(
        "SMC0028", "[OnRemove(SetNull)] is for references that may be null",
        "[OnRemove(RemoveBehavior.SetNull)] makes '{0}' null, but its type '{1}' says that it is never null. Declare it as '{1}?', or use Restrict or Cascade.");

    public static readonly DiagnosticDescriptor NameCollides = Rule(
        "SMC0030", "Members do not collide with generated ones",
        "'{0}' has the name of a member that is generated for '{1}'. Rename it.");

    public static readonly DiagnosticDescriptor ParameterNamesCollide = Rule(
        "SMC0031", "Stored properties differ in more than case",
        "Properties '{0}' and '{1}' would both be parameter '{2}' of the generated Add and Set. Rename one of them.");

    public static readonly DiagnosticDescriptor DataTypeNameTaken = Rule(
        "SMC0032", "The name of the generated data record is free",
        "'{0}' is the name of the record that is generated for '{1}', and a type of that name exists. Rename one of them.");

    public static readonly DiagnosticDescriptor NotTabular = Rule(
        "SMC0050", "Collections hold tabular types",
        "'{0}' is not a tabular type, so Collection<{0}> has no columns to store. Declare it as '[Tabular] readonly partial struct'.");

    public static readonly DiagnosticDescriptor HandleAcrossAwait = Rule(
        "SMC0060", "A handle is used after an await",
        "The row of '{0}' may have been removed during the await: test IsAlive or use TryRead, unless nobody else removes rows",
        DiagnosticSeverity.Info);

    public static readonly DiagnosticDescriptor WithWritesToRow = Rule(
        "SMC0061", "A row is not copied by 'with'",
        "'with' copies the handle, so this writes to the row of '{0}' itself. Write '{0}.ToData() with {{ … }}' for a copy of its values, or '{0}.Set(…)' to change the row.");

    public static readonly DiagnosticDescriptor NullHandleAsNullable = Rule(
        "SMC0062", "A null handle is converted to null",
        "'{0}' may be the null handle, which is not null once it is a '{1}'. Append '.OrNull()'.",
        DiagnosticSeverity.Warning);

    public static readonly DiagnosticDescriptor SliceReaderHasEffects = Rule(
        "SMC0063", "A slice's reader does nothing but read",
        "The reader of a slice may run several times, on bytes that change meanwhile, so it must not {0}. Return what is needed, or open the slice with OpenRead.",
        DiagnosticSeverity.Warning);

    /// <summary>The rules of declarations, which the generator reports.</summary>
    public static readonly IReadOnlyList<DiagnosticDescriptor> Declarations =
    [
        MustNotBeRecord, MustBeReadOnly, MustBePartial, MustNotBeGeneric, ContainingTypeMustBePartial, MustNotBeRefStruct, MustHaveColumns,
        MustNotHaveConstructor, RowTooWide, MustNotHaveField, MustNotHaveBackingField, MustHaveGetterAndSetter, MustNotBeInitOnly, MustNotBeStatic,
        MemberTypeNotPermitted, PropertyFormNotPermitted, MustNotBeFileLocal, PrecisionNeedsDecimal, PrecisionOutOfRange, DefaultDoesNotFit, DirectNeedsReference, KeyTypeNotPermitted, KeyNamesProperties, OneKeyThatIsNotNull, OnRemoveNeedsReference, SetNullNeedsOptional, NameCollides,
        ParameterNamesCollide, DataTypeNameTaken,
    ];

    private static DiagnosticDescriptor Rule(string id, string title, string message, DiagnosticSeverity severity = DiagnosticSeverity.Error) => new(
        id, title, message, Category, severity, isEnabledByDefault: true,
        helpLinkUri: $"https://github.com/selfmanaged/selfmanaged/blob/main/docs/diagnostics/{id}.md");
}
