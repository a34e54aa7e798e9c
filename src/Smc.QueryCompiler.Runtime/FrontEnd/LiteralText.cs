using System.Globalization;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using Smc.QueryCompiler.Generator;

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
        ValueType value => IsDefault(value),
        _ => false,
    };

    /// <summary>Whether a value is the default of its type in all of its fields: others may be equal to it, such as a <c>DateTime</c> of another kind.</summary>
    private static bool IsDefault(object? value) => value switch
    {
        null => true,
        double number => BitConverter.DoubleToInt64Bits(number) == 0,
        float number => BitConverter.SingleToInt32Bits(number) == 0,
        _ when value.GetType().IsPrimitive => value.Equals(RuntimeHelpers.GetUninitializedObject(value.GetType())),
        ValueType => value.GetType().GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic).All(field => IsDefault(field.GetValue(value))),
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

    private static string OfPrimitive(object value) => PrimitiveText.TryOf(value) ?? $"default({RuntimeTypes.Read(value.GetType()).Text})";
}
