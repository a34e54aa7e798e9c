namespace Smc.QueryCompiler.Plan;

/// <summary>What the compiler has to know of a C# type to plan and emit: its kind and how to write it.</summary>
/// <param name="Kind">The kind of the type, of the underlying type for <c>Nullable&lt;T&gt;</c>.</param>
/// <param name="CSharp">The type in C# text, fully qualified with <c>global::</c>, without a nullable mark; empty for anonymous types.</param>
/// <param name="IsNullable">Whether it is <c>Nullable&lt;T&gt;</c> (value types) or annotated nullable (reference types).</param>
/// <param name="EnumUnderlying">For enums, the kind of the underlying integer.</param>
public sealed record PlanType(TypeKind Kind, string CSharp, bool IsNullable = false, TypeKind EnumUnderlying = TypeKind.Other)
{
    public static readonly PlanType Boolean = new(TypeKind.Boolean, "bool");
    public static readonly PlanType Int32 = new(TypeKind.Int32, "int");
    public static readonly PlanType Int64 = new(TypeKind.Int64, "long");
    public static readonly PlanType Double = new(TypeKind.Double, "double");
    public static readonly PlanType Decimal = new(TypeKind.Decimal, "decimal");
    public static readonly PlanType String = new(TypeKind.String, "string");

    public PlanType AsNullable() => this with { IsNullable = true };

    public PlanType AsNonNullable() => this with { IsNullable = false };

    /// <summary>Whether values are held by reference on the managed heap (a string, a class).</summary>
    public bool IsReferenceType => Kind is TypeKind.String or TypeKind.Class or TypeKind.Anonymous;

    /// <summary>The type as it is written in a declaration.</summary>
    public string Text => IsNullable ? CSharp + "?" : CSharp;

    public override string ToString() => Kind == TypeKind.Anonymous ? "anonymous" : Text.Replace("global::", "");
}

/// <summary>Kinds of C# types that the planner tells apart.</summary>
public enum TypeKind
{
    Other, Boolean, Char, SByte, Byte, Int16, UInt16, Int32, UInt32, Int64, UInt64, Int128, UInt128,
    Half, Single, Double, Decimal, DateOnly, TimeOnly, DateTime, DateTimeOffset, TimeSpan, Guid,
    Enum, String, Binary, Tabular, Struct, Tuple, Class, Anonymous,
}
