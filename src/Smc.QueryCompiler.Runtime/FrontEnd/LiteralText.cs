using System.Globalization;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis.CSharp;

namespace Smc.QueryCompiler.FrontEnd;

/// <summary>Constants as C# text that keeps type, scale and every digit: the counterpart of the generator's <c>ConstantText</c>.</summary>
internal static class LiteralText
{
    /// <summary>Whether the constant is one that C# source could contain; others are values from outside.</summary>
    public static bool CanWrite(ConstantExpression constant) => constant.Value switch
    {
        null => true,
        string or bool or char or decimal or double or float or int or uint or long or ulong or byte or sbyte or short or ushort => true,
        Enum => true,
        ValueType value => value.Equals(RuntimeHelpers.GetUninitializedObject(value.GetType())),
        _ => false,
    };

    public static string Of(object? value, Type type) => value switch
    {
        null when type.IsValueType && Nullable.GetUnderlyingType(type) is null => $"default({RuntimeTypes.Read(type).Text})",
        null => "null",
        Enum member => OfEnum(member),
        _ => OfPrimitive(value),
    };

    private static string OfEnum(Enum value)
    {
        Type type = value.GetType();
        string typeText = RuntimeTypes.Read(type).CSharp;
        FieldInfo? member = type.GetFields(BindingFlags.Public | BindingFlags.Static).FirstOrDefault(f => value.Equals(f.GetValue(null)));
        return member is null
            ? $"(({typeText})({OfPrimitive(Convert.ChangeType(value, Enum.GetUnderlyingType(type), CultureInfo.InvariantCulture))}))"
            : $"{typeText}.{RuntimeTypes.Escape(member.Name)}";
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
        _ => $"default({RuntimeTypes.Read(value.GetType()).Text})",
    };

    private static string OfDouble(double value)
    {
        if (double.IsNaN(value))
            return "double.NaN";
        if (double.IsInfinity(value))
            return value > 0 ? "double.PositiveInfinity" : "double.NegativeInfinity";
        return value == 0 && double.IsNegative(value) ? "-0.0d" : value.ToString("R", CultureInfo.InvariantCulture) + "d";
    }

    private static string OfSingle(float value)
    {
        if (float.IsNaN(value))
            return "float.NaN";
        if (float.IsInfinity(value))
            return value > 0 ? "float.PositiveInfinity" : "float.NegativeInfinity";
        return value == 0 && float.IsNegative(value) ? "-0.0f" : value.ToString("R", CultureInfo.InvariantCulture) + "f";
    }
}
