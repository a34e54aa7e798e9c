using System.Linq.Expressions;
using System.Reflection;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>Reads which columns a key selector names.</summary>
internal static class KeySelector
{
    /// <summary>The key columns of <c>o => o.Key</c> or <c>o => ValueTuple.Create(o.Year, o.Number)</c>.</summary>
    /// <exception cref="ArgumentException">The selector is something else, or a column's type is no key type.</exception>
    public static KeyPart[] Read(LambdaExpression keySelector, BlockLayout layout)
    {
        ParameterExpression row = keySelector.Parameters[0];
        IReadOnlyList<Expression> columns = keySelector.Body switch
        {
            NewExpression { Type: var type } create when IsValueTuple(type) => create.Arguments,
            MethodCallExpression { Method: { Name: nameof(ValueTuple.Create), DeclaringType: var type } } call when type == typeof(ValueTuple) => call.Arguments,
            var single => [single],
        };
        if (columns.Count is 0 or > KeyImage.MaxParts)
            throw Refuse(keySelector, $"A key has 1 to {KeyImage.MaxParts} columns");
        return [.. columns.Select(column => Part(keySelector, row, column, layout))];
    }

    private static bool IsValueTuple(Type type) => type.IsValueType && type.FullName?.StartsWith("System.ValueTuple`", StringComparison.Ordinal) == true;

    private static KeyPart Part(LambdaExpression keySelector, ParameterExpression row, Expression expression, BlockLayout layout)
    {
        if (expression is not MemberExpression { Member: PropertyInfo property } member || member.Expression != row)
            throw Refuse(keySelector, $"'{expression}' is not a property of {row.Type.Name}");
        ColumnLayout column = layout.Columns.ToArray().FirstOrDefault(column => string.Equals(column.Name, property.Name, StringComparison.Ordinal))
            ?? throw Refuse(keySelector, $"{property.Name} is computed, not stored");
        Type type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
        PrecisionAttribute? precision = property.GetCustomAttribute<PrecisionAttribute>();
        KeyKind kind = KindOf(type, column, precision is not null)
            ?? throw Refuse(keySelector, $"{property.Name} is of type {type.Name}, which is no key type. Key types are integers, enums, bool, char, decimal, Guid, DateOnly, TimeOnly, TimeSpan, DateTime and string");
        return new KeyPart(column, type, kind, precision?.Scale ?? 0);
    }

    /// <summary>How values of a column are compared; null if they are no key.</summary>
    public static KeyKind? KindOf(Type type, ColumnLayout column, bool hasUnits)
    {
        if (type == typeof(string) && column.Storage == ColumnStorage.String)
            return KeyKind.Text;
        if (column.Storage != ColumnStorage.Plain)
            return null;
        if (type == typeof(decimal))
            return hasUnits ? KeyKind.Units : KeyKind.Decimal;
        if (type == typeof(DateTime))
            return KeyKind.Ticks;
        if (type == typeof(DateOnly) || type == typeof(TimeOnly) || type == typeof(TimeSpan))
            return KeyKind.Signed;
        if (type == typeof(Guid) || type == typeof(Int128) || type == typeof(UInt128))
            return KeyKind.Bits;
        return Type.GetTypeCode(type) switch
        {
            TypeCode.SByte or TypeCode.Int16 or TypeCode.Int32 or TypeCode.Int64 => KeyKind.Signed,
            TypeCode.Boolean or TypeCode.Char or TypeCode.Byte or TypeCode.UInt16 or TypeCode.UInt32 or TypeCode.UInt64 => KeyKind.Unsigned,
            _ => null,
        };
    }

    private static ArgumentException Refuse(LambdaExpression keySelector, string why) => new(
        $"The key '{keySelector}' cannot be indexed. {why}. Write one property, 'o => o.Key', or several as 'o => ValueTuple.Create(o.Year, o.Number)'.",
        nameof(keySelector));
}
