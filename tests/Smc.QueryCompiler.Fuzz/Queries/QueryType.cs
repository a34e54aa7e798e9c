namespace Smc.QueryCompiler.Fuzz.Queries;

/// <summary>A C# type as the random queries know it. Types with one signature are one type to C#.</summary>
internal abstract class QueryType : IEquatable<QueryType>
{
    public abstract string Signature { get; }

    /// <summary>Whether values that are equal also look the same: not so for decimals (1.0, 1.00), floating point (0, -0) and times (kinds, offsets).</summary>
    public virtual bool IsExact => true;

    public bool Equals(QueryType? other) => other is not null && other.Signature == Signature;

    public override bool Equals(object? obj) => Equals(obj as QueryType);

    public override int GetHashCode() => Signature.GetHashCode(StringComparison.Ordinal);

    public override string ToString() => Signature;
}

/// <summary>A number, text, date or other value, perhaps nullable. A <c>string</c> may always be null.</summary>
internal sealed class ScalarType(ScalarKind kind, bool isNullable = false) : QueryType
{
    public static readonly ScalarType Bool = new(ScalarKind.Bool);
    public static readonly ScalarType Int = new(ScalarKind.Int);
    public static readonly ScalarType Long = new(ScalarKind.Long);
    public static readonly ScalarType Double = new(ScalarKind.Double);
    public static readonly ScalarType Decimal = new(ScalarKind.Decimal);
    public static readonly ScalarType String = new(ScalarKind.String);

    public ScalarKind Kind => kind;

    public bool IsNullable => isNullable && kind != ScalarKind.String;

    public ScalarType Plain => new(kind);

    public ScalarType Nullable => new(kind, isNullable: true);

    public override string Signature => ScalarText.TypeName(kind) + (IsNullable ? "?" : "");

    public override bool IsExact => kind is not (ScalarKind.Float or ScalarKind.Double or ScalarKind.Half or ScalarKind.Decimal or ScalarKind.DateTime or ScalarKind.DateTimeOffset);
}

/// <summary>A row of a table: its handle. <paramref name="isNullable"/>: <c>Nullable&lt;T&gt;</c>, apart from the null handle.</summary>
internal sealed class RowType(string table, bool isNullable = false) : QueryType
{
    public string Table => table;

    public bool IsNullable => isNullable;

    public override string Signature => table + (isNullable ? "?" : "");
}

/// <summary>The forms of an object of several values.</summary>
internal enum CompositeForm
{
    Tuple, Anonymous, Record, Class,
}

/// <summary>A tuple, an anonymous object, a record or an object with initialisers.</summary>
internal sealed class CompositeType(CompositeForm form, IReadOnlyList<(string Name, QueryType Type)> members) : QueryType
{
    public CompositeForm Form => form;

    public IReadOnlyList<(string Name, QueryType Type)> Members => members;

    public override string Signature { get; } = form + "(" + string.Join(", ", members.Select(m => m.Type + " " + m.Name)) + ")";

    public override bool IsExact => members.All(m => m.Type.IsExact);
}

/// <summary>Elements: a collection, a list parameter, a query, or the rows of a group.</summary>
internal class SequenceType(QueryType element) : QueryType
{
    public QueryType Element => element;

    public override string Signature => $"IEnumerable<{element}>";

    public override bool IsExact => false;
}

/// <summary>A group: elements with their key.</summary>
internal sealed class GroupType(QueryType key, QueryType element) : SequenceType(element)
{
    public QueryType Key => key;

    public override string Signature => $"IGrouping<{key}, {Element}>";
}

/// <summary>A lambda; equal by what it returns, for its parameters are bound where it stands.</summary>
internal sealed class LambdaType(QueryType result, int parameters) : QueryType
{
    public override string Signature => $"lambda {parameters} -> {result}";
}
