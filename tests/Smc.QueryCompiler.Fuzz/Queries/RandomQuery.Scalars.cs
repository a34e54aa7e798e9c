namespace Smc.QueryCompiler.Fuzz.Queries;

/// <content>Values.</content>
internal sealed partial class RandomQuery
{
    private static readonly ScalarKind[] s_arithmetic =
        [ScalarKind.Int, ScalarKind.UInt, ScalarKind.Long, ScalarKind.ULong, ScalarKind.Float, ScalarKind.Double, ScalarKind.Decimal, ScalarKind.Int128];

    /// <summary>An expression of exactly this type.</summary>
    private QueryNode Scalar(QueryScope scope, ScalarType type, int depth) => PerhapsMethod(PlainScalar(scope, type, depth));

    private QueryNode PlainScalar(QueryScope scope, ScalarType type, int depth)
    {
        if (type.IsNullable)
            return NullableScalar(scope, type, depth);
        if (type.Kind == ScalarKind.Bool && depth > 0)
            return Condition(scope, depth - 1);
        if (depth <= 0 || Chance(35))
            return (Chance(80) ? TryLeaf(scope, type) : null) ?? FromNullable(scope, type) ?? Literal(type.Kind);
        int next = depth - 1;
        if (Chance(10) && AskParameter(scope, type) is { } answer)
            return answer;
        return _random.Next(10) switch
        {
            0 => new QueryNode("($0 ? $1 : $2)", type, Condition(scope, next), Scalar(scope, type, next), Scalar(scope, type, next)),
            1 => FromNullable(scope, type) ?? Scalar(scope, type, next),
            2 => Switch(scope, type, next),
            3 when !_isPlain => SubqueryValue(scope, type, next) ?? Special(scope, type, next),
            _ => Special(scope, type, next),
        };
    }

    private QueryNode NullableScalar(QueryScope scope, ScalarType type, int depth)
    {
        if (TryLeaf(scope, type) is { } leaf && (depth <= 0 || Chance(50)))
            return leaf;
        int next = depth - 1;
        if (depth > 0 && s_arithmetic.Contains(type.Kind) && Chance(40))
            return new QueryNode($"($0 {Pick("+", "-", "*")} $1)", type, Scalar(scope, type, next), Scalar(scope, Chance(50) ? type : type.Plain, next));
        if (depth > 0 && !_isPlain && Chance(10))
            return FirstOf(Correlated(scope, next), scope, type);
        return _random.Next(depth > 0 ? 4 : 2) switch
        {
            0 => new QueryNode($"(({type})null)", type),
            1 or 2 => new QueryNode($"(({type})$0)", type, Scalar(scope, type.Plain, next)),
            _ => new QueryNode($"($0 ? $1 : (({type})null))", type, Condition(scope, next), Scalar(scope, type, next)),
        };
    }

    private QueryNode? FromNullable(QueryScope scope, ScalarType type)
    {
        if (type.Kind == ScalarKind.String)
            return TryLeaf(scope, type) is { } text ? new QueryNode("($0 ?? $1)", type, text, Literal(type.Kind)) : null;
        if (TryLeaf(scope, type.Nullable) is not { } nullable)
            return null;
        return _random.Next(8) switch
        {
            0 => new QueryNode("$0.GetValueOrDefault()", type, nullable),
            1 => new QueryNode("$0!.Value", type, nullable),
            _ => new QueryNode("($0 ?? $1)", type, nullable, Literal(type.Kind)),
        };
    }

    private QueryNode Switch(QueryScope scope, ScalarType type, int depth)
    {
        QueryNode subject = Scalar(scope, ScalarType.Int, depth);
        return Chance(50)
            ? new QueryNode("($0 switch { 1 => $1, 2 or 3 => $2, _ => $3 })", type, subject, Scalar(scope, type, 0), Scalar(scope, type, depth), Scalar(scope, type, 0))
            : new QueryNode("($0 switch { < 0 => $1, > 2 when $2 => $3, _ => $4 })", type, subject, Scalar(scope, type, 0), Condition(scope, 0), Scalar(scope, type, depth), Scalar(scope, type, 0));
    }

    /// <summary>What the type itself offers.</summary>
    private QueryNode Special(QueryScope scope, ScalarType type, int depth)
    {
        QueryNode Of(ScalarType other) => Scalar(scope, other, depth);
        QueryNode Kind(ScalarKind other) => Scalar(scope, new ScalarType(other), depth);
        QueryNode Node(string template, params QueryNode[] parts) => new(template, type, parts);
        switch (type.Kind)
        {
            case ScalarKind.Int:
                return _random.Next(14) switch
                {
                    0 => Node("($0 ?? \"\").Length", Of(ScalarType.String)),
                    1 => Node("$0." + Pick("Year", "Month", "Day", "DayNumber", "DayOfYear"), Kind(ScalarKind.DateOnly)),
                    2 => Node("$0." + Pick("Year", "Hour", "Second"), Kind(ScalarKind.DateTime)),
                    3 => Node("Math." + Pick("Max", "Min") + "($0, $1)", Of(type), Of(type)),
                    4 => Node("Math.Abs($0)", Of(type)),
                    5 => Node("((int)$0)", Kind(Pick(ScalarKind.Long, ScalarKind.Double, ScalarKind.Decimal, ScalarKind.Char, ScalarKind.Enum, ScalarKind.UInt, ScalarKind.Float))),
                    6 => Node("$0.X", Kind(ScalarKind.Struct)),
                    7 => Node("$0.CompareTo($1)", Kind(ScalarKind.DateOnly), Kind(ScalarKind.DateOnly)),
                    8 => Node("($0 " + Pick("<<", ">>", ">>>") + " $1)", Of(type), Of(type)),
                    9 => Node(Pick("(-$0)", "(~$0)"), Of(type)),
                    10 => Node("($0 + $1)", Kind(Pick(ScalarKind.Short, ScalarKind.Byte, ScalarKind.SByte, ScalarKind.UShort, ScalarKind.Char)), Of(type)),
                    _ => Arithmetic(scope, type, depth),
                };
            case ScalarKind.Long:
                return _random.Next(6) switch
                {
                    0 => Node("((long)$0)", Kind(Pick(ScalarKind.Int, ScalarKind.Double, ScalarKind.Decimal, ScalarKind.UInt, ScalarKind.ULong))),
                    1 => Node("($0 + $1)", Of(type), Of(ScalarType.Int)),
                    2 => Node("$0.Ticks", Kind(ScalarKind.TimeSpan)),
                    _ => Arithmetic(scope, type, depth),
                };
            case ScalarKind.UInt or ScalarKind.ULong or ScalarKind.Int128:
                return Arithmetic(scope, type, depth);
            case ScalarKind.Double:
                return _random.Next(7) switch
                {
                    0 => Node("((double)$0)", Kind(Pick(ScalarKind.Int, ScalarKind.Long, ScalarKind.Decimal, ScalarKind.Float, ScalarKind.Half))),
                    1 => Node("Math." + Pick("Floor", "Ceiling", "Sqrt", "Abs", "Round") + "($0)", Of(type)),
                    2 => Node("($0 * $1)", Of(type), Of(ScalarType.Int)),
                    3 => Node("$0.TotalHours", Kind(ScalarKind.TimeSpan)),
                    _ => Arithmetic(scope, type, depth),
                };
            case ScalarKind.Float:
                return Chance(30) ? Node("((float)$0)", Kind(Pick(ScalarKind.Int, ScalarKind.Double, ScalarKind.Half))) : Arithmetic(scope, type, depth);
            case ScalarKind.Decimal:
                return _random.Next(7) switch
                {
                    0 => Node("((decimal)$0)", Kind(Pick(ScalarKind.Int, ScalarKind.Long, ScalarKind.UInt))),
                    1 => Node("decimal." + Pick("Truncate", "Floor", "Abs") + "($0)", Of(type)),
                    2 => Node("Math.Round($0, 1)", Of(type)),
                    3 => Node("($0 * (1 - $1))", Of(type), Of(type)),
                    4 => Node("($0 * $1)", Of(type), Of(ScalarType.Int)),
                    _ => Arithmetic(scope, type, depth),
                };
            case ScalarKind.String:
                return _random.Next(8) switch
                {
                    0 => Node("($0 + $1)", Of(type), Of(type)),
                    1 => Node("($0 + \"-\" + $1)", Of(type), Of(ScalarType.Int)),
                    2 => Node("$\"{$0}:{$1}\"", Of(ScalarType.Int), TryLeaf(scope, type) ?? Of(ScalarType.Int)),
                    3 => Node("($0 ?? \"\")." + Pick("ToUpperInvariant()", "ToLowerInvariant()", "Trim()", "Replace('A', 'b')"), Of(type)),
                    4 => Node("$0!.Substring(0, 2)", Of(type)),
                    5 => Node("$0.ToString(System.Globalization.CultureInfo.InvariantCulture)", Of(Pick(ScalarType.Int, ScalarType.Decimal))),
                    _ => TryLeaf(scope, type) ?? Literal(type.Kind),
                };
            case ScalarKind.DateOnly:
                return Node(Pick("$0.AddDays($1)", "$0.AddMonths($1 % 50)", "$0.AddYears($1 % 5)"), Of(type), Scalar(scope, ScalarType.Int, 0));
            case ScalarKind.DateTime:
                return _random.Next(3) switch
                {
                    0 => Node("$0.AddHours($1)", Of(type), Scalar(scope, ScalarType.Int, 0)),
                    1 => Node("$0.Date", Of(type)),
                    _ => Node("($0 + $1)", Of(type), Kind(ScalarKind.TimeSpan)),
                };
            case ScalarKind.TimeSpan:
                return Chance(50) ? Node("($0 - $1)", Kind(ScalarKind.DateTime), Kind(ScalarKind.DateTime)) : Node("($0 + $1)", Of(type), Of(type));
            case ScalarKind.Short or ScalarKind.Byte or ScalarKind.SByte or ScalarKind.UShort or ScalarKind.Char:
                return TryLeaf(scope, ScalarType.Int) is { } number ? Node($"(({type})$0)", number) : Scalar(scope, type, 0);
            case ScalarKind.Enum:
                return Chance(30) ? Node("((Mood)$0)", Of(ScalarType.Int)) : Scalar(scope, type, 0);
            default:
                return Scalar(scope, type, 0);
        }
    }

    private QueryNode Arithmetic(QueryScope scope, ScalarType type, int depth)
    {
        QueryNode left = Scalar(scope, type, depth);
        bool isIntegral = type.Kind is not (ScalarKind.Float or ScalarKind.Double or ScalarKind.Decimal);
        string symbol = Pick("+", "-", "*", "+", "-", "*", "/", "%", isIntegral ? "&" : "+", isIntegral ? "|" : "-");
        // A divisor is mostly a constant that is not zero; constants that overflow by themselves are errors of the compiler.
        QueryNode right = symbol is "/" or "%"
            ? Chance(80) ? new QueryNode(Divisor(type.Kind), type) : TryLeaf(scope, type) ?? new QueryNode(Divisor(type.Kind), type)
            : TryLeaf(scope, type) ?? new QueryNode(Divisor(type.Kind), type);
        return new QueryNode($"($0 {symbol} $1)", type, left, right);
    }

    private string Divisor(ScalarKind kind) => kind switch
    {
        ScalarKind.Long => Pick("3L", "7L"),
        ScalarKind.UInt => "3u",
        ScalarKind.ULong => "5ul",
        ScalarKind.Float => "4f",
        ScalarKind.Double => Pick("4d", "0.1d"),
        ScalarKind.Decimal => Pick("4m", "0.25m", "1.10m"),
        ScalarKind.Int128 => "((Int128)3)",
        _ => Pick("2", "3", "10"),
    };

    /// <summary>A value from a query inside of the query; null when none gives the type.</summary>
    private QueryNode? SubqueryValue(QueryScope scope, ScalarType type, int depth)
    {
        QueryNode inner = Correlated(scope, depth);
        QueryType element = ElementOf(inner);
        if (type.Kind == ScalarKind.Int && Chance(50))
            return new QueryNode("$0.Count()", type, inner);
        if (type.Kind is ScalarKind.Int or ScalarKind.Long or ScalarKind.Decimal or ScalarKind.Double && Chance(60))
        {
            QueryNode selector = Lambda(element, x => Scalar(scope.With(x), type, 0));
            return Chance(70)
                ? new QueryNode("$0.Sum($1)", type, inner, selector) { NeedsOrder = type.Kind == ScalarKind.Double }
                : new QueryNode($"$0.Select($1).DefaultIfEmpty().{Pick("Max", "Min")}()", type, inner, selector) { NeedsOrder = !type.IsExact };
        }

        if (type.Kind is ScalarKind.Double && Chance(50))
            return new QueryNode("$0.Select($1).DefaultIfEmpty().Average()", type, inner, Lambda(element, x => Scalar(scope.With(x), ScalarType.Int, 0)));
        return FirstOf(inner, scope, type);
    }

    private QueryNode FirstOf(QueryNode inner, QueryScope scope, ScalarType type)
    {
        QueryNode selector = Lambda(ElementOf(inner), x => Scalar(scope.With(x), type, 0));
        return new QueryNode($"$0.Select($1).{Pick("FirstOrDefault()", "FirstOrDefault()", "LastOrDefault()", "First()", "ElementAtOrDefault(1)")}", type, inner, selector) { NeedsOrder = true };
    }
}
