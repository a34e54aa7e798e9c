namespace Smc.QueryCompiler.Fuzz.Queries;

/// <summary>What a query can read from a parameter that is no scalar: text with <c>$0</c> for the parameter and <c>$1</c> for an argument.</summary>
internal sealed record ParameterUse(string Template, ScalarType Type, ScalarType? Argument = null);

/// <summary>A parameter's type that is neither a scalar nor a sequence, and what can be read from it.</summary>
internal sealed class ParameterType(string name, params ParameterUse[] uses) : QueryType
{
    public static readonly ParameterType Index = new("Index", new ParameterUse("$0.Value", ScalarType.Int));
    public static readonly ParameterType Range = new("Range", new ParameterUse("$0.Start.Value", ScalarType.Int));

    public IReadOnlyList<ParameterUse> Uses => uses;

    public override string Signature => name;
}

/// <summary>A type of parameters with a value, as C#.</summary>
internal sealed record ParameterForm(ParameterType Type, string ValueText)
{
    /// <summary>The types that the queries' parameters have, beside tables and scalars.</summary>
    public const string Declarations = """
        public enum InSByte : sbyte { A = -1, B, C = 100 }
        public enum InByte : byte { A, B, C = 200 }
        public enum InShort : short { A = -1, B, C = 300 }
        public enum InUShort : ushort { A, B, C = 60_000 }
        public enum InInt { A = -1, B, C = 70_000 }
        public enum InUInt : uint { A, B, C = 3_000_000_000 }
        public enum InLong : long { A = -1, B, C = 1L << 40 }
        public enum InULong : ulong { A, B, C = 1UL << 63 }

        public sealed record Limits(int Low, decimal High, string? Text, DateOnly? Day);
        public readonly record struct Bounds(int Low, long? High, Mood Mood);
        """;

    private static readonly ScalarType s_long = new(ScalarKind.Long);

    public static readonly IReadOnlyList<ParameterForm> All =
    [
        new(new("int[]", new ParameterUse("$0[1]", ScalarType.Int), new ParameterUse("$0[^1]", ScalarType.Int), new ParameterUse("$0.Length", ScalarType.Int), new ParameterUse("$0.Contains($1)", ScalarType.Bool, ScalarType.Int), new ParameterUse("(Array.IndexOf($0, $1) >= 0)", ScalarType.Bool, ScalarType.Int)), "new int[] { 1, 2, 5 }"),
        new(new("string[]", new ParameterUse("$0[0]", ScalarType.String), new ParameterUse("$0.Contains($1)", ScalarType.Bool, ScalarType.String)), "new string[] { \"AIR\", \"MAIL\" }"),
        new(new("decimal?[]", new ParameterUse("$0[1]", ScalarType.Decimal.Nullable), new ParameterUse("$0[0]", ScalarType.Decimal.Nullable)), "new decimal?[] { 1.5m, null }"),
        new(new("(int Low, string? Text)", new ParameterUse("$0.Low", ScalarType.Int), new ParameterUse("$0.Text", ScalarType.String), new ParameterUse("$0.Item1", ScalarType.Int)), "(2, \"RAIL\")"),
        new(new("(decimal, long?, (bool, double) Inner)", new ParameterUse("$0.Item1", ScalarType.Decimal), new ParameterUse("$0.Item2", s_long.Nullable), new ParameterUse("$0.Inner.Item1", ScalarType.Bool), new ParameterUse("$0.Item3.Item2", ScalarType.Double)), "(1.25m, null, (true, 0.5))"),
        new(new("(int A, int B)?", new ParameterUse("$0!.Value.A", ScalarType.Int), new ParameterUse("$0.HasValue", ScalarType.Bool)), "(1, 2)"),
        new(new("ReadOnlyMemory<int>", new ParameterUse("$0.Length", ScalarType.Int), new ParameterUse("$0.Span[0]", ScalarType.Int), new ParameterUse("$0.Span.Contains($1)", ScalarType.Bool, ScalarType.Int)), "new int[] { 3, 1 }"),
        new(new("Memory<long>", new ParameterUse("$0.Length", ScalarType.Int), new ParameterUse("$0.Span[1]", s_long)), "new long[] { 3, 1 }"),
        new(new("ReadOnlyMemory<char>", new ParameterUse("$0.Length", ScalarType.Int), new ParameterUse("$0.ToString()", ScalarType.String)), "\"SHIP\".AsMemory()"),
        new(new("Limits", new ParameterUse("$0.Low", ScalarType.Int), new ParameterUse("$0.High", ScalarType.Decimal), new ParameterUse("$0.Text", ScalarType.String), new ParameterUse("$0.Day", new ScalarType(ScalarKind.DateOnly, true))), "new Limits(1, 2.5m, \"AIR\", null)"),
        new(new("Bounds", new ParameterUse("$0.Low", ScalarType.Int), new ParameterUse("$0.High", s_long.Nullable), new ParameterUse("$0.Mood", new ScalarType(ScalarKind.Enum))), "new Bounds(1, 7, Mood.Fair)"),
        new(new("Bounds?", new ParameterUse("$0.HasValue", ScalarType.Bool), new ParameterUse("$0!.Value.Low", ScalarType.Int), new ParameterUse("($0 ?? default).Mood", new ScalarType(ScalarKind.Enum))), "new Bounds(3, null, Mood.Low)"),
        new(new("IReadOnlyList<int>", new ParameterUse("$0[0]", ScalarType.Int), new ParameterUse("$0.Count", ScalarType.Int), new ParameterUse("$0.Contains($1)", ScalarType.Bool, ScalarType.Int)), "new List<int> { 2, 3 }"),
        new(new("IList<long>", new ParameterUse("$0[1]", s_long), new ParameterUse("$0.Contains($1)", ScalarType.Bool, s_long)), "new List<long> { 2, 3 }"),
        new(new("ICollection<string>", new ParameterUse("$0.Count", ScalarType.Int), new ParameterUse("$0.Contains($1)", ScalarType.Bool, ScalarType.String)), "new List<string> { \"AIR\" }"),
        new(new("IReadOnlyCollection<int>", new ParameterUse("$0.Count", ScalarType.Int), new ParameterUse("$0.Contains($1)", ScalarType.Bool, ScalarType.Int)), "new HashSet<int> { 1, 4 }"),
        new(new("HashSet<string>", new ParameterUse("$0.Count", ScalarType.Int), new ParameterUse("$0.Contains($1)", ScalarType.Bool, ScalarType.String)), "new HashSet<string> { \"AIR\", \"RAIL\" }"),
        new(new("HashSet<DateOnly>", new ParameterUse("$0.Contains($1)", ScalarType.Bool, new ScalarType(ScalarKind.DateOnly))), "new HashSet<DateOnly> { new DateOnly(1995, 1, 8) }"),
        new(new("ISet<int>", new ParameterUse("$0.Contains($1)", ScalarType.Bool, ScalarType.Int)), "new HashSet<int> { 2 }"),
        new(new("IReadOnlySet<char>", new ParameterUse("$0.Contains($1)", ScalarType.Bool, new ScalarType(ScalarKind.Char))), "new HashSet<char> { 'A', 'C' }"),
        new(new("Dictionary<int, string>", new ParameterUse("$0.Count", ScalarType.Int), new ParameterUse("$0.ContainsKey($1)", ScalarType.Bool, ScalarType.Int), new ParameterUse("$0.GetValueOrDefault($1)", ScalarType.String, ScalarType.Int)), "new Dictionary<int, string> { [1] = \"AIR\" }"),
        new(new("IReadOnlyDictionary<string, decimal>", new ParameterUse("$0.ContainsKey($1 ?? \"\")", ScalarType.Bool, ScalarType.String), new ParameterUse("$0.GetValueOrDefault($1 ?? \"\")", ScalarType.Decimal, ScalarType.String)), "new Dictionary<string, decimal> { [\"AIR\"] = 2m }"),
        new(new("Func<int, bool>", new ParameterUse("$0($1)", ScalarType.Bool, ScalarType.Int)), "static i => i > 2"),
        new(new("int?[]", new ParameterUse("$0.Contains($1)", ScalarType.Bool, ScalarType.Int.Nullable), new ParameterUse("$0[0]", ScalarType.Int.Nullable)), "new int?[] { null, 1 }"),
        .. new[] { "InSByte", "InByte", "InShort", "InUShort", "InInt", "InUInt", "InLong", "InULong" }.SelectMany(name => new ParameterForm[]
        {
            new(new(name, new ParameterUse("((int)$0)", ScalarType.Int), new ParameterUse($"($0 == {name}.B)", ScalarType.Bool), new ParameterUse($"((long)$0 == $1)", ScalarType.Bool, s_long), new ParameterUse($"($0 is {name}.A or {name}.C)", ScalarType.Bool)), name + ".B"),
            new(new(name + "?", new ParameterUse("$0.HasValue", ScalarType.Bool), new ParameterUse($"($0 == {name}.B)", ScalarType.Bool), new ParameterUse($"((int)($0 ?? {name}.B))", ScalarType.Int)), name + ".B"),
        }),
    ];
}
