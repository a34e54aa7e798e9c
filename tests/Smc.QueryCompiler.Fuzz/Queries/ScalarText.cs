using System.Globalization;

namespace Smc.QueryCompiler.Fuzz.Queries;

/// <summary>Scalars as C# text.</summary>
internal static class ScalarText
{
    public static string TypeName(ScalarKind kind) => kind switch
    {
        ScalarKind.Int128 or ScalarKind.Half or ScalarKind.DateOnly or ScalarKind.TimeOnly or ScalarKind.DateTime or ScalarKind.DateTimeOffset
            or ScalarKind.TimeSpan or ScalarKind.Guid => kind.ToString(),
        ScalarKind.Enum => "Mood",
        ScalarKind.Struct => "Point",
        _ => kind.ToString().ToLowerInvariant(),
    };

    /// <summary>A value as an expression of exactly its type.</summary>
    public static string Literal(ScalarKind kind, object value) => (kind, value) switch
    {
        (_, bool b) => b ? "true" : "false",
        (ScalarKind.Enum, short e) => e switch { -1 => "Mood.Low", 1 => "Mood.Fair", 300 => "Mood.High", _ => $"(Mood)({e})" },
        (ScalarKind.Struct, int s) => $"new Point({s}, {-s})",
        (_, int.MinValue) => "int.MinValue",
        (_, long.MinValue) => "long.MinValue",
        (_, int i) => i < 0 ? $"({i})" : i.ToString(CultureInfo.InvariantCulture),
        (_, long l) => l < 0 ? $"({l}L)" : $"{l}L",
        (_, uint u) => $"{u}u",
        (_, ulong u) => $"{u}ul",
        (_, sbyte or byte or short or ushort) => $"({TypeName(kind)})({Convert.ToString(value, CultureInfo.InvariantCulture)})",
        (_, Int128 i) => $"Int128.Parse(\"{i.ToString(CultureInfo.InvariantCulture)}\", System.Globalization.CultureInfo.InvariantCulture)",
        (_, Half h) => $"(Half)({Floating((float)h, "float")})",
        (_, float f) => Floating(f, "float"),
        (_, double d) => Floating(d),
        (_, decimal m) => m < 0 ? $"({m.ToString(CultureInfo.InvariantCulture)}m)" : m.ToString(CultureInfo.InvariantCulture) + "m",
        (_, char c) => Microsoft.CodeAnalysis.CSharp.SymbolDisplay.FormatLiteral(c, quote: true),
        (_, string s) => Microsoft.CodeAnalysis.CSharp.SymbolDisplay.FormatLiteral(s, quote: true),
        (_, DateOnly d) => $"new DateOnly({d.Year}, {d.Month}, {d.Day})",
        (_, TimeOnly t) => $"new TimeOnly({t.Ticks}L)",
        (_, DateTime t) => $"new DateTime({t.Ticks}L, DateTimeKind.{t.Kind})",
        (_, DateTimeOffset t) => $"new DateTimeOffset({t.Ticks}L, new TimeSpan({t.Offset.Ticks}L))",
        (_, TimeSpan t) => $"new TimeSpan({t.Ticks}L)",
        (_, Guid g) => $"new Guid(\"{g}\")",
        _ => throw new ArgumentException($"{kind} has no value {value}", nameof(value)),
    };

    /// <summary>A boxed value, <c>v[3]!</c>, as an expression of a type; enums and structs of the compiled assembly come as the numbers that they are made of.</summary>
    public static string Unboxed(string type, string value) => type switch
    {
        "Mood" => $"(Mood)(short){value}",
        "Point" => $"new Point((int){value}, -(int){value})",
        _ => $"({type}){value}",
    };

    private static string Floating(float value, string type) => value switch
    {
        float.NaN => type + ".NaN",
        float.PositiveInfinity => type + ".PositiveInfinity",
        float.NegativeInfinity => type + ".NegativeInfinity",
        _ => $"({value.ToString("R", CultureInfo.InvariantCulture)}f)",
    };

    private static string Floating(double value) => value switch
    {
        double.NaN => "double.NaN",
        double.PositiveInfinity => "double.PositiveInfinity",
        double.NegativeInfinity => "double.NegativeInfinity",
        _ => $"({value.ToString("R", CultureInfo.InvariantCulture)}d)",
    };
}
