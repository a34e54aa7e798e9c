using System.Reflection;
using System.Runtime.CompilerServices;
using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.FrontEnd;

/// <summary>Turns types of the running program into the plan's types: the counterpart of the generator's <c>PlanTypeReader</c>.</summary>
internal static class RuntimeTypes
{
    private static readonly Dictionary<Type, (TypeKind Kind, string Text)> s_keywords = new()
    {
        [typeof(bool)] = (TypeKind.Boolean, "bool"), [typeof(char)] = (TypeKind.Char, "char"),
        [typeof(sbyte)] = (TypeKind.SByte, "sbyte"), [typeof(byte)] = (TypeKind.Byte, "byte"),
        [typeof(short)] = (TypeKind.Int16, "short"), [typeof(ushort)] = (TypeKind.UInt16, "ushort"),
        [typeof(int)] = (TypeKind.Int32, "int"), [typeof(uint)] = (TypeKind.UInt32, "uint"),
        [typeof(long)] = (TypeKind.Int64, "long"), [typeof(ulong)] = (TypeKind.UInt64, "ulong"),
        [typeof(float)] = (TypeKind.Single, "float"), [typeof(double)] = (TypeKind.Double, "double"),
        [typeof(decimal)] = (TypeKind.Decimal, "decimal"), [typeof(string)] = (TypeKind.String, "string"),
        [typeof(object)] = (TypeKind.Class, "object"), [typeof(nint)] = (TypeKind.Struct, "nint"), [typeof(nuint)] = (TypeKind.Struct, "nuint"),
    };

    private static readonly Dictionary<Type, TypeKind> s_kinds = new()
    {
        [typeof(Int128)] = TypeKind.Int128, [typeof(UInt128)] = TypeKind.UInt128, [typeof(Half)] = TypeKind.Half,
        [typeof(DateOnly)] = TypeKind.DateOnly, [typeof(TimeOnly)] = TypeKind.TimeOnly, [typeof(DateTime)] = TypeKind.DateTime,
        [typeof(DateTimeOffset)] = TypeKind.DateTimeOffset, [typeof(TimeSpan)] = TypeKind.TimeSpan, [typeof(Guid)] = TypeKind.Guid,
        [typeof(ReadOnlyMemory<byte>)] = TypeKind.Binary,
    };

    /// <summary>The plan's view of a type. A type that contains an anonymous one has no text.</summary>
    public static PlanType Read(Type type)
    {
        if (Nullable.GetUnderlyingType(type) is { } underlying)
            return Read(underlying).AsNullable();
        TypeKind enumUnderlying = type.IsEnum ? KindOf(Enum.GetUnderlyingType(type)) : TypeKind.Other;
        return new PlanType(KindOf(type), IsSpeakable(type) ? Text(type) : "", IsNullable: false, enumUnderlying);
    }

    /// <summary>T when the type is <c>IEnumerable&lt;T&gt;</c> or implements it once, else null.</summary>
    public static Type? ElementType(Type type)
    {
        if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IEnumerable<>))
            return type.GetGenericArguments()[0];
        Type[] sequences = [.. type.GetInterfaces().Where(i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IEnumerable<>))];
        return sequences is [var only] ? only.GetGenericArguments()[0] : null;
    }

    public static bool IsTabular(Type type) => type.IsValueType && type.IsDefined(typeof(TabularAttribute), inherit: false);

    public static bool IsTuple(Type type) => type.IsValueType && type.IsGenericType && typeof(ITuple).IsAssignableFrom(type);

    /// <summary>Whether the type can be written in C#.</summary>
    public static bool IsSpeakable(Type type)
    {
        if (type.HasElementType)
            return IsSpeakable(type.GetElementType()!);
        return !AnonymousObject.Is(type) && !type.Name.Contains('<', StringComparison.Ordinal)
            && type.GetGenericArguments().All(IsSpeakable) && (type.DeclaringType is null || IsSpeakable(type.DeclaringType));
    }

    /// <summary>A name as C# writes it, with <c>@</c> before a keyword.</summary>
    public static string Escape(string name) =>
        Microsoft.CodeAnalysis.CSharp.SyntaxFacts.GetKeywordKind(name) != Microsoft.CodeAnalysis.CSharp.SyntaxKind.None ? "@" + name : name;

    private static TypeKind KindOf(Type type)
    {
        if (s_keywords.TryGetValue(type, out (TypeKind Kind, string Text) keyword))
            return keyword.Kind;
        if (s_kinds.TryGetValue(type, out TypeKind kind))
            return kind;
        if (type.IsEnum)
            return TypeKind.Enum;
        if (!type.IsValueType)
            return AnonymousObject.Is(type) ? TypeKind.Anonymous : TypeKind.Class;
        if (IsTuple(type))
            return TypeKind.Tuple;
        return IsTabular(type) ? TypeKind.Tabular : TypeKind.Struct;
    }

    private static string Text(Type type)
    {
        if (s_keywords.TryGetValue(type, out (TypeKind Kind, string Text) keyword))
            return keyword.Text;
        if (type.IsArray)
            return Text(type.GetElementType()!) + "[" + new string(',', type.GetArrayRank() - 1) + "]";
        if (Nullable.GetUnderlyingType(type) is { } underlying)
            return Text(underlying) + "?";
        if (IsTuple(type) && TupleElements(type).ToArray() is { Length: > 1 } elements)
            return $"({string.Join(", ", elements.Select(Text))})";
        return NamedText(type);
    }

    private static IEnumerable<Type> TupleElements(Type type)
    {
        Type[] arguments = type.GetGenericArguments();
        return arguments.Length == 8 && IsTuple(arguments[7]) ? arguments.Take(7).Concat(TupleElements(arguments[7])) : arguments;
    }

    private static string NamedText(Type type)
    {
        Stack<Type> path = [];
        for (Type? part = type; part is not null; part = part.DeclaringType)
            path.Push(part);
        Queue<Type> arguments = new(type.GetGenericArguments());
        string space = string.IsNullOrEmpty(type.Namespace) ? "" : string.Join(".", type.Namespace.Split('.').Select(Escape)) + ".";
        return "global::" + space + string.Join(".", path.Select(part => NamePart(part, arguments)));
    }

    private static string NamePart(Type part, Queue<Type> arguments)
    {
        int tick = part.Name.IndexOf('`', StringComparison.Ordinal);
        if (tick < 0)
            return Escape(part.Name);
        int count = int.Parse(part.Name.AsSpan(tick + 1), System.Globalization.CultureInfo.InvariantCulture);
        return $"{Escape(part.Name[..tick])}<{string.Join(", ", Enumerable.Range(0, count).Select(_ => Text(arguments.Dequeue())))}>";
    }
}
