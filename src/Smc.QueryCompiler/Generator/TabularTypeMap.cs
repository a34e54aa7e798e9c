using Microsoft.CodeAnalysis;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Which C# types a column may have, and the form in which each is stored (DESIGN 3 and 4.1).</summary>
internal static class TabularTypeMap
{
    /// <summary>The form in memory and its width; width 0 when the type cannot be a column.</summary>
    public static (StorageKind Storage, int Width) StorageOf(ITypeSymbol type, PlanType plan, int precision) => plan.Kind == TypeKind.Struct
        ? (StorageKind.Raw, type.IsUnmanagedType && type.SpecialType == SpecialType.None ? TabularStructSize.Measure(type) : 0)
        : StorageForms.Of(plan, precision);
}
