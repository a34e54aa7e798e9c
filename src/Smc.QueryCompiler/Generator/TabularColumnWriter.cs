using Smc.QueryCompiler.Plan;
using static Smc.QueryCompiler.Generator.TabularNames;

namespace Smc.QueryCompiler.Generator;

/// <summary>The C# that reads, checks and writes one column. The one place that knows how each kind of value is stored.</summary>
/// <param name="declaration">The type.</param>
/// <param name="member">The property.</param>
/// <param name="isOutside">Whether the text stands outside the struct, where its nested constants need the type's name.</param>
internal sealed class TabularColumnWriter(TabularDeclaration declaration, TabularMember member, bool isOutside = false)
{
    private readonly ColumnShape _column = member.Column;

    private string Columns => isOutside ? declaration.Shape.FullName + "." + declaration.ColumnsName : declaration.ColumnsName;

    private string Place => $"{Columns}.{member.Name}Offset, {Columns}.{member.Name}Stride";

    private string Nulls => $"{Columns}.{member.Name}Nulls";

    private string Zone => $"{Columns}.{member.Name}Zone";

    private bool IsScaled => _column.Precision > 0;

    private bool HasNulls => _column.NullBitmapOffset >= 0;

    /// <summary>Whether a value has to be checked before a row is touched.</summary>
    public bool NeedsCheck => IsScaled || _column is { Storage: StorageKind.String, Type.IsNullable: false };

    /// <summary>Whether writing allocates from the string heap, and so can fail.</summary>
    public bool CanFail => _column.Storage is StorageKind.String or StorageKind.Binary;

    /// <summary>The type whose bytes lie in memory.</summary>
    public string Stored => IsScaled
        ? _column.Storage switch { StorageKind.I32 => "int", StorageKind.I64 => "long", _ => "global::System.Int128" }
        : _column.IsReference ? "ulong" : _column.Type.CSharp;

    /// <summary>The type of a checked value, see <see cref="Check"/>.</summary>
    public string Checked => _column.Storage == StorageKind.String ? (_column.Type.IsNullable ? "string?" : "string") : HasNulls ? Stored + "?" : Stored;

    /// <summary>The value of the column of the row <c>row</c> (an <c>OpenRow</c>).</summary>
    public string ReadOpen() => Decode(
        string.Format(System.Globalization.CultureInfo.InvariantCulture, "row.{0}({1})", Method("Read"), HasNulls ? $"{Place}, {Nulls}" : Place));

    /// <summary>The value of the column of the row behind a handle.</summary>
    public string ReadHandle(string row, string handle)
    {
        string method = Method("Get").Replace("<", $"<{row}, ");
        if (method.IndexOf('<') < 0)
            method += $"<{row}>";
        return Decode($"{RowAccess}.{method}({handle}, {(HasNulls ? $"{Place}, {Nulls}" : Place)})");
    }

    /// <summary>The value as it is stored, or an exception naming the property. For columns that need no check, the value.</summary>
    public string Check(string value)
    {
        if (!NeedsCheck)
            return value;
        if (!IsScaled)
            return $"{RowAccess}.NotNull({value}, \"{member.Name}\")";
        if (!_column.Type.IsNullable)
            return ToUnits(value);
        return $"{value}.HasValue ? {ToUnits(value + ".GetValueOrDefault()")} : null";
    }

    /// <summary>The stored form of a <c>[Default]</c>, which the compiler has checked.</summary>
    public string CheckConstant(string constant) => IsScaled ? ToUnits(constant) : constant;

    /// <summary>A statement that writes a checked value to <c>row</c> (an <c>OpenRow</c> or a <c>NewRow</c>).</summary>
    public string Write(string row, string value) => $"{row}.{Method("Write")}({WriteArguments(value, _column.HasZoneMap)});";

    /// <summary>Whether an index of a collection may be on the column: a key, or who refers to a row.</summary>
    public bool CanBeIndexed => _column.CanBeKey || member.OnRemove is not null;

    /// <summary>Whether the column alone can be a key of which an index tells the bucket before the row is written.</summary>
    public bool CanBeExpected => _column.CanBeKey && !HasNulls && _column.Storage <= StorageKind.U64;

    /// <summary>A statement that says which checked value the column of a row of <c>collection</c> is about to get.</summary>
    public string Expect(string collection, string value) => $"{ComingKey}.Expect({collection}, {Columns}.{member.Name}Offset, {value});";

    /// <summary>A statement that tells a <c>KeyChange</c> which value, checked or stored, the column is about to get.</summary>
    public string Change(string keys, string value)
    {
        string method = _column.Storage == StorageKind.String ? "ChangeText" : HasNulls ? $"ChangeNullable<{Stored}>" : $"Change<{Stored}>";
        return $"{keys}.{method}({Columns}.{member.Name}Offset, {StoredForm(value)});";
    }

    /// <summary>An expression that stores a checked string or binary value for <c>row</c> (an <c>OpenRow</c>) and gives its word.</summary>
    public string Store(string row, string value) => _column.Storage == StorageKind.String
        ? $"{row}.StoreString({Columns}.{member.Name}Offset, {value})"
        : $"{row}.StoreBinary({value})";

    /// <summary>A statement that writes what <see cref="Store"/> gave.</summary>
    public string WriteWord(string row, string word) => $"{row}.WriteWord({Place}, {word});";

    /// <summary>As <see cref="Write"/>, for a default in a <c>NewRow</c> that an initialiser may overwrite: zone map and sketch are written when the row is shown.</summary>
    public string WriteDefault(string row, string value) => $"{row}.{Method("Write")}({WriteArguments(value, hasZoneMap: false)});";

    /// <summary>An expression that writes a checked value to the row behind a handle.</summary>
    public string WriteHandle(string row, string handle, string value)
    {
        string method = Method("Set").Replace("<", $"<{row}, ");
        if (method.IndexOf('<') < 0)
            method += $"<{row}>";
        return $"{RowAccess}.{method}({handle}, {WriteArguments(value, _column.HasZoneMap)})";
    }

    private string Method(string verb) => _column.Storage switch
    {
        StorageKind.String => verb + "String",
        StorageKind.Binary => verb + "Binary",
        StorageKind.DirectReference => verb + "Direct",
        _ when HasNulls => $"{verb}Nullable<{Stored}>",
        _ => $"{verb}<{Stored}>",
    };

    private string Decode(string stored) => _column.Storage switch
    {
        StorageKind.String => _column.Type.IsNullable ? stored : stored + "!",
        StorageKind.Binary => _column.Type.IsNullable ? stored : stored + ".GetValueOrDefault()",
        StorageKind.Reference or StorageKind.DirectReference => $"{RowHandle}.{(_column.Type.IsNullable ? "FromBitsNullable" : "FromBits")}<{_column.Type.CSharp}>({stored})",
        _ when IsScaled && HasNulls => $"{stored} is {{ }} {Units} ? {ScaledDecimal}.ToDecimal({Units}, {_column.Scale}) : null",
        _ when IsScaled => $"{ScaledDecimal}.ToDecimal({stored}, {_column.Scale})",
        _ => stored,
    };

    /// <summary>A name for the units in a pattern: several of them may be in one initialiser.</summary>
    private string Units => member.Parameter.TrimStart('@') + "Units";

    private string ToUnits(string value)
    {
        string method = _column.Storage switch { StorageKind.I32 => "ToUnits32", StorageKind.I64 => "ToUnits64", _ => "ToUnits128" };
        string rounding = member.Rounding is null ? "" : $"global::System.MidpointRounding.{member.Rounding}, ";
        return $"{ScaledDecimal}.{method}({value}, {_column.Precision}, {_column.Scale}, {rounding}\"{member.Name}\")";
    }

    private string StoredForm(string value) => _column.IsReference ? $"{RowHandle}.{(_column.Type.IsNullable ? "ToBitsNullable" : "ToBits")}({value})" : value;

    private string WriteArguments(string value, bool hasZoneMap)
    {
        if (CanFail)
            return $"{Place}, {value}";
        string stored = StoredForm(value);
        string nulls = HasNulls ? $", {Nulls}" : "";
        return hasZoneMap
            ? $"{Place}{nulls}, {Zone}, {stored}, {Key(HasNulls ? stored + ".GetValueOrDefault()" : stored)}"
            : $"{Place}{nulls}, {stored}";
    }

    /// <summary>The value as the zone map orders it.</summary>
    private string Key(string stored) => _column.Type.Kind switch
    {
        TypeKind.Boolean => $"{stored} ? 1L : 0L",
        TypeKind.DateOnly => stored + ".DayNumber",
        TypeKind.TimeOnly or TypeKind.TimeSpan => stored + ".Ticks",
        TypeKind.Enum when _column.Storage == StorageKind.U64 => $"{RowAccess}.UnsignedKey((ulong){stored})",
        TypeKind.Enum => $"(long){stored}",
        TypeKind.UInt64 or TypeKind.Tabular => $"{RowAccess}.UnsignedKey({stored})",
        _ => stored,
    };
}
