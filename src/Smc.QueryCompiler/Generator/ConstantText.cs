using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using static Smc.QueryCompiler.Generator.TabularNames;

namespace Smc.QueryCompiler.Generator;

/// <summary>Constants as C# text that keeps type, scale and every digit.</summary>
internal static class ConstantText
{
    public static string Of(object? value, ITypeSymbol type) => value switch
    {
        null when type.IsValueType && PlanTypeReader.NullableUnderlying(type) is null => $"default({PlanTypeReader.Read(type).Text})",
        null => "null",
        _ when (PlanTypeReader.NullableUnderlying(type) ?? type) is INamedTypeSymbol { EnumUnderlyingType: not null } enumType => OfEnum(value, enumType),
        _ => OfPrimitive(value),
    };

    private static string OfEnum(object value, INamedTypeSymbol type)
    {
        string typeText = PlanTypeReader.Read(type).CSharp;
        IFieldSymbol? member = type.GetMembers().OfType<IFieldSymbol>().FirstOrDefault(f => f.HasConstantValue && value.Equals(f.ConstantValue));
        return member is null ? $"(({typeText})({OfPrimitive(value)}))" : $"{typeText}.{Escape(member.Name)}";
    }

    private static string OfPrimitive(object value) => value switch
    {
        bool b => b ? "true" : "false",
        char c => SymbolDisplay.FormatLiteral(c, quote: true),
        string s => SymbolDisplay.FormatLiteral(s, quote: true),
        decimal m => m.ToString(CultureInfo.InvariantCulture) + "m",
        double d => OfDouble(d),
        float f => OfSingle(f),
        int i => i.ToString(CultureInfo.InvariantCulture),
        uint u => u.ToString(CultureInfo.InvariantCulture) + "u",
        long l => l.ToString(CultureInfo.InvariantCulture) + "L",
        ulong l => l.ToString(CultureInfo.InvariantCulture) + "ul",
        byte b => "(byte)" + b.ToString(CultureInfo.InvariantCulture),
        sbyte b => $"(sbyte)({b.ToString(CultureInfo.InvariantCulture)})",
        short s => $"(short)({s.ToString(CultureInfo.InvariantCulture)})",
        ushort s => "(ushort)" + s.ToString(CultureInfo.InvariantCulture),
        _ => SymbolDisplay.FormatPrimitive(value, quoteStrings: true, useHexadecimalNumbers: false) ?? "default",
    };

    private static string OfDouble(double value)
    {
        if (double.IsNaN(value))
            return "double.NaN";
        if (double.IsInfinity(value))
            return value > 0 ? "double.PositiveInfinity" : "double.NegativeInfinity";
        return value == 0 && BitConverter.DoubleToInt64Bits(value) < 0 ? "-0.0d" : RoundTrip(value) + "d";
    }

    /// <summary>The shortest text that reads back as the same number; "R" alone is not reliable on .NET Framework, where Visual Studio runs us.</summary>
    private static string RoundTrip(double value)
    {
        string text = value.ToString("R", CultureInfo.InvariantCulture);
        return double.Parse(text, CultureInfo.InvariantCulture).Equals(value) ? text : value.ToString("G17", CultureInfo.InvariantCulture);
    }

    private static string RoundTrip(float value)
    {
        string text = value.ToString("R", CultureInfo.InvariantCulture);
        return float.Parse(text, CultureInfo.InvariantCulture).Equals(value) ? text : value.ToString("G9", CultureInfo.InvariantCulture);
    }

    private static string OfSingle(float value)
    {
        if (float.IsNaN(value))
            return "float.NaN";
        if (float.IsInfinity(value))
            return value > 0 ? "float.PositiveInfinity" : "float.NegativeInfinity";
        return value == 0 && 1 / value < 0 ? "-0.0f" : RoundTrip(value) + "f";
    }
}
