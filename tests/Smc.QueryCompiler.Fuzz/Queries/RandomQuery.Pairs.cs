namespace Smc.QueryCompiler.Fuzz.Queries;

/// <content>Conditions on two rows that references of one row lead to.</content>
internal sealed partial class RandomQuery
{
    /// <summary>
    /// A condition on the rows at the ends of two paths of references from one row, behind conditions on the rows that the paths begin with: <c>x.Town.Id &lt; 5 &amp;&amp; x.Shop.Kind != 2 &amp;&amp; x.Town == x.Shop.Town</c>.
    /// Null where no row has two references.
    /// </summary>
    private QueryNode? PairCondition(QueryScope scope)
    {
        QueryNode[] rows = [.. scope.Variables.Where(v => v.Type is RowType { IsNullable: false } && References(v).Length > 1)];
        if (rows.Length == 0)
            return null;
        QueryNode[] roots = [.. References(Pick(rows)).OrderBy(_ => _random.Next()).Take(2)];
        (QueryNode left, QueryNode right) = (EndOf(roots[0]), EndOf(roots[1]));
        QueryNode condition = Bool("($0 && $1)", Bool("($0 && $1)", OfRow(roots[0]), OfRow(roots[1])), OfPair(left, right));
        // A second one, of the same rows or of others.
        return Chance(25) ? Bool("($0 && $1)", condition, Chance(50) ? OfPair(left, right) : OfPair(EndOf(roots[0]), EndOf(roots[1]))) : condition;
    }

    private QueryNode[] References(QueryNode row) => [.. Columns(row, ((RowType)row.Type).Table).Where(c => c.Type is RowType { IsNullable: false })];

    /// <summary>The row that some references lead to.</summary>
    private QueryNode EndOf(QueryNode row)
    {
        for (int steps = 0; steps < 2 && Chance(60) && References(row) is { Length: > 0 } next; steps++)
            row = Pick(next);
        return row;
    }

    /// <summary>A condition that most rows pass.</summary>
    private QueryNode OfRow(QueryNode row)
    {
        QueryNode[] columns = [.. Scalars(row).Where(c => c.Type is ScalarType { IsNullable: false })];
        QueryNode column = Pick(columns);
        ScalarKind kind = ((ScalarType)column.Type).Kind;
        bool isOrdered = kind is not (ScalarKind.Bool or ScalarKind.String or ScalarKind.Guid or ScalarKind.Struct);
        return Bool($"($0 {(isOrdered ? Pick("!=", ">=", "<", "!=") : "!=")} $1)", column, Literal(kind));
    }

    private QueryNode OfPair(QueryNode left, QueryNode right)
    {
        if (left.Type.Equals(right.Type) && Chance(40))
            return Bool($"($0 {Pick("==", "!=")} $1)", left, right);
        (QueryNode Left, QueryNode Right)[] alike = [.. Scalars(left).SelectMany(l => Scalars(right).Where(r => r.Type.Equals(l.Type)).Select(r => (l, r)))];
        (QueryNode a, QueryNode b) = Pick(alike);
        ScalarType type = (ScalarType)a.Type;
        if (Chance(35))
        {
            (QueryNode first, QueryNode second) = (Literal(type.Kind), Literal(type.Kind));
            return Bool("(($0 == $2 && $1 == $3) || ($0 == $3 && $1 == $2))", a, b, first, second);
        }

        bool isNumber = type is { IsNullable: false, Kind: ScalarKind.Int or ScalarKind.Long or ScalarKind.Decimal or ScalarKind.Double };
        bool isOrdered = type.Kind is not (ScalarKind.Bool or ScalarKind.String or ScalarKind.Guid or ScalarKind.Struct);
        string comparison = isOrdered ? Pick("<", ">=", "!=", "==") : Pick("==", "!=");
        return isNumber && Chance(40) ? Bool($"(($0 {Pick("+", "-", "*")} $1) {comparison} $2)", a, b, Literal(type.Kind)) : Bool($"($0 {comparison} $1)", a, b);
    }

    private IEnumerable<QueryNode> Scalars(QueryNode row) => Columns(row, ((RowType)row.Type).Table).Where(c => c.Type is ScalarType);
}
