using System.Globalization;
using Microsoft.CodeAnalysis.CSharp;

namespace Smc.QueryCompiler.Generator;

/// <summary>Values of primitive types as C# text that keeps type, scale and every digit. Linked into the run-time compiler.</summary>
internal static class PrimitiveText
{
    /// <summary>The text of a value, or null when the value is not of a primitive type.</summary>
    public static string? TryOf(object value) => value switch
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
        _ => null,
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
