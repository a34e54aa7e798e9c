namespace Smc.QueryCompiler.Fuzz.Queries;

/// <content>Conditions.</content>
internal sealed partial class RandomQuery
{
    private static readonly ScalarKind[] s_patternKinds =
        [ScalarKind.Int, ScalarKind.Long, ScalarKind.Short, ScalarKind.Byte, ScalarKind.Char, ScalarKind.Decimal, ScalarKind.Double, ScalarKind.Enum, ScalarKind.String];

    private QueryNode Condition(QueryScope scope, int depth) => PerhapsMethod(PlainCondition(scope, depth));

    private QueryNode PlainCondition(QueryScope scope, int depth)
    {
        if (depth > 0 && Chance(12) && PairCondition(scope) is { } pair)
            return pair;
        int choice = _random.Next(100);
        if (depth > 0 && choice < 30)
        {
            return choice switch
            {
                < 12 => Bool("($0 && $1)", Condition(scope, depth - 1), Condition(scope, depth - 1)),
                < 21 => Bool("($0 || $1)", Condition(scope, depth - 1), Condition(scope, depth - 1)),
                < 24 => Bool("!$0", Condition(scope, depth - 1)),
                < 26 => Bool($"($0 {Pick("^", "&", "|", "==", "!=")} $1)", Condition(scope, depth - 1), Condition(scope, depth - 1)),
                < 28 => Bool("($0 ? $1 : $2)", Condition(scope, depth - 1), Condition(scope, depth - 1), Condition(scope, depth - 1)),
                _ => GuardedCondition(scope, depth),
            };
        }

        if (depth > 0 && choice < 38 && !_isPlain)
            return SubqueryCondition(scope, depth - 1);
        if (choice < 46)
            return RowCondition(scope) ?? Comparison(scope, depth);
        if (choice < 56)
            return NullCondition(scope) ?? Comparison(scope, depth);
        if (choice < 64)
            return PatternCondition(scope) ?? Comparison(scope, depth);
        if (choice < 70)
            return TextCondition(scope) ?? Comparison(scope, depth);
        if (choice < 74)
            return TryLeaf(scope, ScalarType.Bool) ?? Comparison(scope, depth);
        if (choice < 80 && AskParameter(scope, ScalarType.Bool) is { } answer)
            return answer;
        if (choice < 80)
        {
            QueryNode list = Pick(_lists.ToArray());
            return Bool("$0.Contains($1)", list, Listed(scope, (ScalarType)ElementOf(list)));
        }

        return Comparison(scope, depth);
    }

    private static QueryNode Bool(string template, params QueryNode[] parts) => new(template, ScalarType.Bool, parts);

    private QueryNode Comparison(QueryScope scope, int depth)
    {
        QueryNode[] leaves = ReadableScalars(scope);
        ScalarType type = leaves.Length == 0 ? ScalarType.Int : (ScalarType)Pick(leaves).Type;
        QueryNode left = Chance(70) ? TryLeaf(scope, type) ?? Scalar(scope, type, 0) : Scalar(scope, type, depth);
        QueryNode right = Chance(50) ? Literal(type.Kind) : Scalar(scope, Chance(80) ? type : type.Plain, Math.Max(0, depth - 1));
        bool isOrdered = type.Kind is not (ScalarKind.Bool or ScalarKind.String or ScalarKind.Guid or ScalarKind.Struct);
        string comparison = isOrdered && Chance(70) ? Pick("<", "<=", ">", ">=") : Pick("==", "!=");
        // A row's number is asked for more often than others: indexes have it.
        bool isNumber = comparison is ">" or ">=" && left.Template == "$0.Id";
        return Bool($"($0 {(isNumber ? "==" : comparison)} $1)", left, right);
    }

    /// <summary>A reference is looked at before it is followed.</summary>
    private QueryNode GuardedCondition(QueryScope scope, int depth)
    {
        QueryNode[] rows = [.. ReadableRows(scope).Where(r => r.Type is RowType { IsNullable: false })];
        if (rows.Length == 0)
            return Comparison(scope, depth);
        QueryNode row = Pick(rows);
        QueryNode[] columns = [.. Columns(row, ((RowType)row.Type).Table).Where(c => c.Type is ScalarType)];
        QueryNode column = Pick(columns);
        ScalarType type = (ScalarType)column.Type;
        return Bool($"($0 != null && $1 {Pick("==", "!=")} $2)", row, column, Literal(type.Kind));
    }

    private QueryNode? RowCondition(QueryScope scope)
    {
        QueryNode[] rows = ReadableRows(scope);
        if (rows.Length == 0)
            return null;
        QueryNode row = Pick(rows);
        QueryNode? other = Chance(60) ? rows.Where(r => r.Type.Equals(row.Type) && r != row).OrderBy(_ => _random.Next()).FirstOrDefault() : null;
        if (other is not null)
            return Bool($"($0 {Pick("==", "!=")} $1)", row, other);
        if (row.Type is RowType { IsNullable: true })
            return Bool(Pick("$0.HasValue", "($0 == null)", "($0 != null)"), row);
        return Bool(Pick("($0 == null)", "($0 != null)", "($0 != null)", "!$0.IsNull"), row);
    }

    private QueryNode? NullCondition(QueryScope scope)
    {
        QueryNode[] nullable = [.. ReadableScalars(scope).Where(v => v.Type is ScalarType { IsNullable: true } or ScalarType { Kind: ScalarKind.String })];
        if (nullable.Length == 0)
            return null;
        QueryNode value = Near(nullable);
        return value.Type is ScalarType { IsNullable: true } && Chance(30)
            ? Bool("$0.HasValue", value)
            : Bool(Pick("($0 == null)", "($0 != null)", "($0 is null)", "($0 is not null)"), value);
    }

    private QueryNode? PatternCondition(QueryScope scope)
    {
        QueryNode[] values = [.. ReadableScalars(scope).Where(v => s_patternKinds.Contains(((ScalarType)v.Type).Kind))];
        if (values.Length == 0)
            return null;
        QueryNode value = Near(values);
        ScalarType type = (ScalarType)value.Type;
        bool isOrdered = type.Kind is not (ScalarKind.Enum or ScalarKind.String);
        string low = Constant(type.Kind);
        string high = Constant(type.Kind);
        if (type.IsNullable && isOrdered && Chance(40))
        {
            string name = NewVariable();
            return Bool($"($0 is {{ }} {name} && {name} > {low})", value);
        }

        if (low == high || !isOrdered)
            return Bool($"($0 is {Pick("", "not ")}{low})", value);
        return Bool(Pick($"($0 is {low} or {high})", $"($0 is not ({low} or {high}))", $"($0 is > {low} and not {high})", $"($0 is >= {low})"), value);
    }

    /// <summary>A constant as a pattern allows it.</summary>
    private string Constant(ScalarKind kind) => kind switch
    {
        ScalarKind.Short or ScalarKind.Byte => _random.Next(0, 20).ToString(System.Globalization.CultureInfo.InvariantCulture),
        _ => Literal(kind).Template is var text && text.Contains("NaN", StringComparison.Ordinal) ? "0d" : text,
    };

    private QueryNode? TextCondition(QueryScope scope)
    {
        if (TryLeaf(scope, ScalarType.String) is not { } text)
            return null;
        QueryNode other = Chance(80) ? Literal(ScalarKind.String) : Scalar(scope, ScalarType.String, 0);
        QueryNode condition = Bool(
            Pick(
                "$0.StartsWith($1, StringComparison.Ordinal)", "$0.EndsWith($1, StringComparison.Ordinal)", "$0.Contains($1)", "$0.Contains($1, StringComparison.Ordinal)",
                "($0.Length > $1.Length)", "string.Equals($0, $1)", "$0.Equals($1)", "(string.CompareOrdinal($0, $1) < 0)", "$0.StartsWith('A')", "$0.Contains($1, StringComparison.OrdinalIgnoreCase)", "string.IsNullOrEmpty($0)"),
            text,
            other);
        return Chance(75) ? Bool("($0 != null && $1)", text, condition) : condition;
    }

    private QueryNode SubqueryCondition(QueryScope scope, int depth)
    {
        QueryNode inner = Correlated(scope, depth);
        QueryType element = ElementOf(inner);
        QueryNode any = Chance(50) ? Bool("$0.Any()", inner) : Bool("$0.Any($1)", inner, Lambda(element, x => Condition(scope.With(x), 0)));
        return _random.Next(5) switch
        {
            0 => Bool("$0.All($1)", inner, Lambda(element, x => Condition(scope.With(x), depth))),
            1 when element is ScalarType scalar => Bool("$0.Contains($1)", inner, Scalar(scope, scalar, 0)),
            2 => Bool($"($0 {Pick(">", "==", "<=")} $1)", new QueryNode("$0.Count()", ScalarType.Int, inner), Scalar(scope, ScalarType.Int, 0)),
            3 => Bool("!$0", any),
            _ => any,
        };
    }
}
