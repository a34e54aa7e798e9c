using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Turns the argument of <c>[Default(…)]</c> into a C# constant of the property's type.</summary>
internal static class TabularDefault
{
    /// <summary>The constant as C# text, or null with the reason (a clause that ends the diagnostic).</summary>
    public static string? Format(TypedConstant argument, ITypeSymbol type, PlanType plan, int precision, int scale, out string why)
    {
        why = "";
        if (argument.Kind == TypedConstantKind.Error || argument.IsNull)
        {
            why = ": a null needs no [Default], make the property nullable";
            return null;
        }

        if (plan.Kind == TypeKind.Enum)
            return FormatEnum(argument, type, plan);
        if (plan.Kind == TypeKind.Decimal)
            return FormatDecimal(argument.Value, precision, scale, out why);
        if (argument.Kind != TypedConstantKind.Primitive)
            return null;
        object value = argument.Value!;
        return plan.Kind switch
        {
            TypeKind.Boolean => value is bool b ? (b ? "true" : "false") : null,
            TypeKind.Char => value is char c ? SymbolDisplay.FormatLiteral(c, quote: true) : null,
            TypeKind.String => value is string s ? SymbolDisplay.FormatLiteral(s, quote: true) : null,
            TypeKind.Single => FormatSingle(value),
            TypeKind.Double => FormatDouble(value),
            _ => FormatInteger(value, plan.Kind, out why),
        };
    }

    private static string? FormatEnum(TypedConstant argument, ITypeSymbol type, PlanType plan)
    {
        ITypeSymbol enumType = PlanTypeReader.NullableUnderlying(type) ?? type;
        if (!SymbolEqualityComparer.Default.Equals(argument.Type, enumType))
            return null;
        string number = System.Convert.ToString(argument.Value, CultureInfo.InvariantCulture)!;
        return $"({plan.CSharp})({number})";
    }

    private static string? FormatDecimal(object? value, int precision, int scale, out string why)
    {
        why = value is string ? ": the text is not a decimal number" : "";
        decimal number;
        switch (value)
        {
            case string text when decimal.TryParse(text, NumberStyles.Number, CultureInfo.InvariantCulture, out decimal parsed):
                number = parsed;
                break;
            case double or float:
                why = ": write a decimal as text, such as [Default(\"0.05\")]";
                return null;
            case sbyte or byte or short or ushort or int or uint or long or ulong:
                number = System.Convert.ToDecimal(value, CultureInfo.InvariantCulture);
                break;
            default:
                return null;
        }

        if (precision > 0 && !Fits(number, precision, scale))
        {
            why = $": it does not fit [Precision({precision}, {scale})]";
            return null;
        }

        return number.ToString(CultureInfo.InvariantCulture) + "m";
    }

    private static bool Fits(decimal number, int precision, int scale) =>
        decimal.Round(number, scale) == number && Math.Abs(number) < PowerOfTen(precision - scale);

    private static decimal PowerOfTen(int digits)
    {
        decimal power = 1;
        for (int i = 0; i < digits; i++)
            power *= 10;
        return power;
    }

    private static string? FormatSingle(object value) => value switch
    {
        float.NaN => "float.NaN",
        float.PositiveInfinity => "float.PositiveInfinity",
        float.NegativeInfinity => "float.NegativeInfinity",
        float f => f.ToString("R", CultureInfo.InvariantCulture) + "F",
        sbyte or byte or short or ushort or int => System.Convert.ToString(value, CultureInfo.InvariantCulture) + "F",
        _ => null,
    };

    private static string? FormatDouble(object value) => value switch
    {
        double.NaN => "double.NaN",
        double.PositiveInfinity => "double.PositiveInfinity",
        double.NegativeInfinity => "double.NegativeInfinity",
        double d => d.ToString("R", CultureInfo.InvariantCulture) + "D",
        float or sbyte or byte or short or ushort or int or uint => System.Convert.ToDouble(value, CultureInfo.InvariantCulture).ToString("R", CultureInfo.InvariantCulture) + "D",
        _ => null,
    };

    private static string? FormatInteger(object value, TypeKind kind, out string why)
    {
        why = "";
        (decimal Min, decimal Max, string Suffix) range = kind switch
        {
            TypeKind.SByte => ((decimal)sbyte.MinValue, sbyte.MaxValue, ""),
            TypeKind.Byte => (byte.MinValue, byte.MaxValue, ""),
            TypeKind.Int16 => (short.MinValue, short.MaxValue, ""),
            TypeKind.UInt16 => (ushort.MinValue, ushort.MaxValue, ""),
            TypeKind.Int32 => (int.MinValue, int.MaxValue, ""),
            TypeKind.UInt32 => (uint.MinValue, uint.MaxValue, "U"),
            TypeKind.Int64 => (long.MinValue, long.MaxValue, "L"),
            TypeKind.UInt64 => (ulong.MinValue, (decimal)ulong.MaxValue, "UL"),
            _ => (1m, 0m, ""),
        };
        if (range.Min > range.Max)
        {
            why = ": only numbers, bool, char, string and enums can have a default. Make the property nullable instead.";
            return null;
        }

        if (value is not (sbyte or byte or short or ushort or int or uint or long or ulong))
            return null;
        decimal number = System.Convert.ToDecimal(value, CultureInfo.InvariantCulture);
        return number >= range.Min && number <= range.Max ? number.ToString(CultureInfo.InvariantCulture) + range.Suffix : null;
    }
}
