using System.Globalization;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Integer and scaled-decimal arithmetic that can run on 64-bit integers: columns, constants, +, - and * with the scale of every part known.
/// Right as long as the bounds from the zone maps hold, which kernels test per block.
/// </summary>
/// <param name="Scale">Digits after the point; 0 for integers.</param>
/// <param name="Kind">The C# type whose range the value has to fit.</param>
internal abstract record ScaledExpression(int Scale, TypeKind Kind)
{
    private const int MaxScale = 28;

    /// <summary>The parts, operands first.</summary>
    public IEnumerable<ScaledExpression> Parts => this is ScaledOperation operation
        ? operation.Left.Parts.Concat(operation.Right.Parts).Concat([this])
        : [this];

    /// <summary>
    /// The products that may be zeros without digits after the point (<c>UnitsRange.ProductMayLoseScale</c>), if their factors have such values.
    /// </summary>
    public IEnumerable<ScaledOperation> ProductsThatMayLoseScale => Parts.OfType<ScaledOperation>().Distinct().Where(part =>
        part is { Operator: BinaryOperator.Multiply, Aligns: false, Kind: TypeKind.Decimal, Scale: > 0 } && !IsNarrow(part.Left) && !IsNarrow(part.Right));

    /// <summary>Whether the value is zero where one of those is: nothing is added to it.</summary>
    public bool IsZeroWhereScaleIsLost => !ProductsThatMayLoseScale.Any()
        || (this is ScaledOperation { Operator: BinaryOperator.Multiply, Aligns: false } product && product.Left.IsZeroWhereScaleIsLost && product.Right.IsZeroWhereScaleIsLost);

    /// <summary>The expression over the rows of a scan in this form, or null when it has none.</summary>
    public static ScaledExpression? TryBuild(ScalarExpression expression, QueryPlan plan) => TryBuild(expression, part => part switch
    {
        ColumnRead { Row: RowVariable } read => TryColumn(read, plan),
        Plan.Convert convert => TryConvert(convert, plan),
        _ => null,
    }, IsRange);

    /// <summary>The expression over one row in this form, or null when it has none: decimals, and in them whatever integers C# computes.</summary>
    /// <param name="expression">The expression.</param>
    /// <param name="plan">The plan.</param>
    /// <param name="scaleOf">The scale of a variable that is held in this form; null for others.</param>
    public static ScaledExpression? TryBuildOfRow(ScalarExpression expression, QueryPlan plan, Func<ValueVariable, int?> scaleOf) => TryBuild(expression, part => part switch
    {
        { Type.Kind: not TypeKind.Decimal } => null,
        ColumnRead read => TryColumn(read, plan),
        ValueVariable variable when scaleOf(variable) is { } scale => new ScaledValue(scale, TypeKind.Decimal, variable),
        Plan.Convert { Operand: Constant constant } => TryConstant(constant),
        Plan.Convert { Operand.Type: { IsNullable: false, Kind: not TypeKind.UInt64 } type, Operand: var operand } when ScalarTraits.IsIntegral(type.Kind) => new ScaledValue(0, TypeKind.Decimal, operand),
        _ => null,
    }, static kind => kind == TypeKind.Decimal);

    private static ScaledExpression? TryBuild(ScalarExpression expression, Func<ScalarExpression, ScaledExpression?> leaf, Func<TypeKind, bool> isComputed) => expression switch
    {
        { Type.IsNullable: true } => null,
        Constant constant => TryConstant(constant),
        Unary { Operator: UnaryOperator.Plus } unary => TryBuild(unary.Operand, leaf, isComputed),
        Unary { Operator: UnaryOperator.Negate } unary when isComputed(unary.Type.Kind) && TryBuild(unary.Operand, leaf, isComputed) is { } operand =>
            new ScaledOperation(operand.Scale, unary.Type.Kind, BinaryOperator.Subtract, new ScaledConstant(0, operand.Scale, unary.Type.Kind), operand),
        Binary { Operator: BinaryOperator.Add or BinaryOperator.Subtract or BinaryOperator.Multiply } binary when isComputed(binary.Type.Kind)
            && TryBuild(binary.Left, leaf, isComputed) is { } left && TryBuild(binary.Right, leaf, isComputed) is { } right => TryOperation(binary, left, right),
        _ => leaf(expression),
    };

    /// <summary>The value with more digits after the point; null if the factor has more than 64 bits.</summary>
    public ScaledExpression? At(int scale) => Align(this, scale);

    /// <summary>The values of a group of columns that bounds are made of.</summary>
    public IEnumerable<ScaledColumn> Columns => Parts.OfType<ScaledColumn>();

    private static ScaledExpression? TryOperation(Binary binary, ScaledExpression left, ScaledExpression right)
    {
        if (binary.Operator == BinaryOperator.Multiply)
        {
            int scale = left.Scale + right.Scale;
            return scale > MaxScale ? null : new ScaledOperation(scale, binary.Type.Kind, binary.Operator, left, right);
        }

        int common = Math.Max(left.Scale, right.Scale);
        return Align(left, common) is { } a && Align(right, common) is { } b
            ? new ScaledOperation(common, binary.Type.Kind, binary.Operator, a, b)
            : null;
    }

    private static ScaledExpression? Align(ScaledExpression value, int scale)
    {
        int digits = scale - value.Scale;
        if (digits == 0)
            return value;
        if (digits > 18)
            return null;
        long factor = (long)Math.Pow(10, digits);
        if (value is ScaledConstant constant)
        {
            decimal units = (decimal)constant.Units * factor;
            return Math.Abs(units) > long.MaxValue ? null : new ScaledConstant((long)units, scale, value.Kind);
        }

        // Only decimals have digits after the point.
        return new ScaledOperation(scale, TypeKind.Decimal, BinaryOperator.Multiply, value, new ScaledConstant(factor, digits, TypeKind.Decimal), Aligns: true);
    }

    /// <summary>A column in this form; null for one that is not stored as an integer that zone maps bound.</summary>
    public static ScaledExpression? TryColumn(ColumnRead read, QueryPlan plan)
    {
        TabularShape shape = plan.Shape(read.Row.Type.CSharp);
        ColumnShape column = shape.Column(read.Column);
        bool isNumber = ScalarTraits.IsIntegral(column.Type.Kind) || column.Type.Kind == TypeKind.Decimal;
        return isNumber && column.NullBitmapOffset < 0 && column.HasZoneMap && ColumnEmitter.IsStoredInteger(column)
            ? new ScaledColumn(column.Scale, column.Type.Kind, read, shape, column)
            : null;
    }

    private static ScaledExpression? TryConvert(Plan.Convert convert, QueryPlan plan)
    {
        TypeKind from = convert.Operand.Type.Kind, to = convert.Type.Kind;
        bool widens = to switch
        {
            TypeKind.Decimal => ScalarTraits.IsIntegral(from) || from == TypeKind.Decimal,
            TypeKind.Int64 => ScalarTraits.IsIntegral(from) && from != TypeKind.UInt64,
            TypeKind.Int32 => from is TypeKind.SByte or TypeKind.Byte or TypeKind.Int16 or TypeKind.UInt16 or TypeKind.Int32,
            _ => false,
        };
        // An operation keeps the type that C# computes it in: a product of ints that becomes a decimal has wrapped around before.
        return widens && TryBuild(convert.Operand, plan) is { } operand ? operand is ScaledOperation ? operand : operand with { Kind = to } : null;
    }

    private static ScaledExpression? TryConstant(Constant constant)
    {
        bool isNumber = ScalarTraits.IsIntegral(constant.Type.Kind) || constant.Type.Kind == TypeKind.Decimal;
        string digits = constant.Literal.TrimEnd('m', 'M', 'l', 'L', 'u', 'U').Replace("_", "");
        if (!isNumber || !decimal.TryParse(digits, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal value))
            return null;
        int scale = (decimal.GetBits(value)[3] >> 16) & 0xFF;
        for (int i = 0; i < scale; i++)
        {
            if (Math.Abs(value) > long.MaxValue)
                return null;
            value *= 10;
        }

        return Math.Abs(value) > long.MaxValue ? null : new ScaledConstant((long)value, scale, constant.Type.Kind);
    }

    private static bool IsNarrow(ScaledExpression factor) => factor is ScaledConstant { Units: not 0 and >= -uint.MaxValue and <= uint.MaxValue };

    private static bool IsRange(TypeKind kind) => kind is TypeKind.Int32 or TypeKind.Int64 or TypeKind.Decimal;
}

/// <summary>A column of the scan.</summary>
internal sealed record ScaledColumn(int Scale, TypeKind Kind, ColumnRead Read, TabularShape Shape, ColumnShape Column) : ScaledExpression(Scale, Kind);

/// <summary>Any integer, or a variable that is held in this form.</summary>
internal sealed record ScaledValue(int Scale, TypeKind Kind, ScalarExpression Of) : ScaledExpression(Scale, Kind);

/// <summary>A constant as units of its scale.</summary>
internal sealed record ScaledConstant(long Units, int Scale, TypeKind Kind) : ScaledExpression(Scale, Kind);

/// <summary>Addition, subtraction (operands of one scale) or multiplication (scales add up), which may stand for more digits after the point.</summary>
internal sealed record ScaledOperation(int Scale, TypeKind Kind, BinaryOperator Operator, ScaledExpression Left, ScaledExpression Right, bool Aligns = false)
    : ScaledExpression(Scale, Kind);
