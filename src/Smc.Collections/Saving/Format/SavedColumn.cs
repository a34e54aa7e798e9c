using Smc.Collections.Kernels;

namespace Smc.Collections.Saving;

/// <summary>A property as the schema of a file has it.</summary>
/// <param name="Name">The property.</param>
/// <param name="Kind">What the values are.</param>
/// <param name="Width">Bytes of a value in the file; 0 for texts and binary values.</param>
internal sealed record SavedColumn(string Name, ValueKind Kind, int Width)
{
    /// <summary>Bytes of a saved reference.</summary>
    public const int ReferenceWidth = 4;

    public bool IsNullable { get; init; }

    /// <summary>Decimal digits of <see cref="ValueKind.Units"/>.</summary>
    public int Precision { get; init; }

    /// <summary>Digits after the point.</summary>
    public int Scale { get; init; }

    /// <summary>The row type that a reference leads to, or the type of a struct.</summary>
    public string? Type { get; init; }

    /// <summary>Names and values of an enum.</summary>
    public IReadOnlyDictionary<string, Int128>? Members { get; init; }

    public bool IsText => Kind is ValueKind.Text or ValueKind.Binary;

    /// <summary>Whether nulls have sections of their own: texts and references say it themselves.</summary>
    public bool HasNullBits => IsNullable && !IsText && Kind != ValueKind.Reference;

    /// <summary>The least bytes that a row can take.</summary>
    public int LeastBytes => Math.Max(Width, 1);

    /// <summary>The kind as messages say it: <c>Int32?</c>, <c>Units(15, 2)</c>, <c>Reference to Order</c>.</summary>
    public override string ToString()
    {
        string kind = Kind switch
        {
            ValueKind.Units => $"Units({Precision}, {Scale})",
            ValueKind.Reference => $"reference to {Type}",
            ValueKind.Struct => $"struct {Type} of {Width} bytes",
            _ => (Members is null ? "" : "enum ") + Kind,
        };
        return IsNullable ? kind + "?" : kind;
    }

    /// <summary>The property of a row type.</summary>
    /// <param name="property">The property.</param>
    /// <param name="width">Bytes in memory.</param>
    public static SavedColumn Of(TabularProperty property, int width)
    {
        ColumnTraits traits = property.Traits;
        (ValueKind kind, string? type, IReadOnlyDictionary<string, Int128>? members) = property.CreateBuffer(1).Accept(KindOfValues.Instance);
        if (traits.Precision > 0)
            kind = ValueKind.Units;
        int saved = kind switch
        {
            ValueKind.Text or ValueKind.Binary => 0,
            ValueKind.Reference => ReferenceWidth,
            _ => width,
        };
        return new SavedColumn(traits.Name, kind, saved)
        {
            IsNullable = traits.IsNullable && kind != ValueKind.Reference,
            Precision = traits.Precision,
            Scale = traits.Scale,
            Type = type,
            Members = members,
        };
    }

    private sealed class KindOfValues : IColumnVisitor<(ValueKind, string?, IReadOnlyDictionary<string, Int128>?)>
    {
        public static readonly KindOfValues Instance = new();

        public (ValueKind, string?, IReadOnlyDictionary<string, Int128>?) Visit<TValue>(ColumnBuffer<TValue> column) => Of(typeof(TValue), default(TValue));

        public (ValueKind, string?, IReadOnlyDictionary<string, Int128>?) VisitNullable<TValue>(NullableColumnBuffer<TValue> column)
            where TValue : struct => Of(typeof(TValue), default(TValue));

        private static (ValueKind, string?, IReadOnlyDictionary<string, Int128>?) Of(Type type, object? value)
        {
            if (value is ITabular { Schema: var target })
                return (ValueKind.Reference, target.SavedName, null);
            if (type.IsEnum)
                return (KindOf(Enum.GetUnderlyingType(type)), null, MembersOf(type));
            ValueKind kind = KindOf(type);
            return (kind, kind == ValueKind.Struct ? type.FullName : null, null);
        }

        private static Dictionary<string, Int128> MembersOf(Type type)
        {
            string[] names = Enum.GetNames(type);
            Array values = Enum.GetValuesAsUnderlyingType(type);
            Dictionary<string, Int128> members = new(names.Length, StringComparer.Ordinal);
            for (int i = 0; i < names.Length; i++)
            {
                object value = values.GetValue(i)!;
                members.Add(names[i], value is ulong large ? large : Convert.ToInt64(value, System.Globalization.CultureInfo.InvariantCulture));
            }

            return members;
        }

        private static ValueKind KindOf(Type type) =>
            type == typeof(string) ? ValueKind.Text
            : type == typeof(ReadOnlyMemory<byte>) ? ValueKind.Binary
            : type == typeof(DateOnly) ? ValueKind.Date
            : type == typeof(TimeOnly) ? ValueKind.Time
            : type == typeof(TimeSpan) ? ValueKind.TimeSpan
            : type == typeof(DateTimeOffset) ? ValueKind.DateTimeOffset
            : type == typeof(Guid) ? ValueKind.Guid
            : type == typeof(Half) ? ValueKind.Half
            : type == typeof(Int128) ? ValueKind.Int128
            : type == typeof(UInt128) ? ValueKind.UInt128
            : System.Type.GetTypeCode(type) switch
            {
                TypeCode.Boolean => ValueKind.Boolean,
                TypeCode.Char => ValueKind.Char,
                TypeCode.SByte => ValueKind.SByte,
                TypeCode.Byte => ValueKind.Byte,
                TypeCode.Int16 => ValueKind.Int16,
                TypeCode.UInt16 => ValueKind.UInt16,
                TypeCode.Int32 => ValueKind.Int32,
                TypeCode.UInt32 => ValueKind.UInt32,
                TypeCode.Int64 => ValueKind.Int64,
                TypeCode.UInt64 => ValueKind.UInt64,
                TypeCode.Single => ValueKind.Single,
                TypeCode.Double => ValueKind.Double,
                TypeCode.Decimal => ValueKind.Decimal,
                TypeCode.DateTime => ValueKind.DateTime,
                _ => ValueKind.Struct,
            };
    }
}
