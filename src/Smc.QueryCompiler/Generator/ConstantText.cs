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

    private static string OfPrimitive(object value) =>
        PrimitiveText.TryOf(value) ?? SymbolDisplay.FormatPrimitive(value, quoteStrings: true, useHexadecimalNumbers: false) ?? "default";
}
