namespace Smc.QueryCompiler.Fuzz.Queries;

/// <content>Several aggregates over the same elements, of columns of every width, that are combined.</content>
internal sealed partial class RandomQuery
{
    /// <summary>Numbers that C# computes with, by what they are converted to among each other.</summary>
    private static readonly ScalarKind[] s_widths =
    [
        ScalarKind.SByte, ScalarKind.Byte, ScalarKind.Short, ScalarKind.UShort, ScalarKind.Char, ScalarKind.Int, ScalarKind.UInt, ScalarKind.Long, ScalarKind.ULong,
        ScalarKind.Float, ScalarKind.Double, ScalarKind.Decimal,
    ];

    private static readonly ScalarKind[] s_signed = [ScalarKind.SByte, ScalarKind.Short, ScalarKind.Int, ScalarKind.Long];

    /// <summary>Aggregates of one table, or of groups of its rows.</summary>
    private QueryNode Aggregates(int depth)
    {
        QueryNode table = Table();
        QueryNode source = Chance(40)
            ? new QueryNode("$0.Where($1)", table.Type, table, Lambda(ElementOf(table), x => Condition(_outermost.With(x), depth))) { Order = OrderRule.Keep }
            : table;
        if (Chance(50))
            return Together(source);
        QueryNode key = Lambda(ElementOf(source), x => Key(_outermost.With(x), x));
        QueryType keyType = key.Parts[0].Type;
        GroupType group = new(keyType, ElementOf(source));
        QueryNode groups = new("$0.GroupBy($1)", new SequenceType(group), source, key) { Order = OrderRule.Lose, NeedsOrder = !keyType.IsExact };
        QueryNode selector = Lambda(group, g => Composite(
            Pick(CompositeForm.Anonymous, CompositeForm.Tuple), [new QueryNode("$0.Key", keyType, g), .. Enumerable.Range(0, _random.Next(1, 4)).Select(_ => Together(g))]));
        QueryNode results = new("$0.Select($1)", new SequenceType(selector.Parts[0].Type), groups, selector) { Order = OrderRule.Keep };
        return new QueryNode("$0.ToList()", results.Type, results) { Order = OrderRule.Keep };
    }

    /// <summary>Two or more aggregates of the same elements, as one number or one object.</summary>
    private QueryNode Together(QueryNode elements)
    {
        // Two aggregates of one column, of which one widens it, are what a scan shares.
        int? shared = Chance(60) ? _random.Next(1 << 20) : null;
        QueryNode first = OneAggregate(elements, shared);
        QueryNode second = OneAggregate(elements, shared);
        if (Chance(70) && Promoted(first.Type, second.Type) is { } type)
        {
            QueryNode combined = new($"($0 {Pick("/", "*", "+", "-", "/")} $1)", type, first, second);
            return Chance(70) ? combined : Composite(CompositeForm.Tuple, [combined, OneAggregate(elements, shared)]);
        }

        return Composite(Pick(CompositeForm.Anonymous, CompositeForm.Tuple), [first, second, .. Enumerable.Range(0, _random.Next(3)).Select(_ => OneAggregate(elements, shared))]);
    }

    /// <param name="shared">The number of the column that the aggregates have in common, if they do.</param>
    private QueryNode OneAggregate(QueryNode elements, int? shared)
    {
        QueryType element = ElementOf(elements);
        int choice = _random.Next(10);
        if (choice == 0)
        {
            (string name, ScalarType counted) = Pick(("Count", ScalarType.Int), ("LongCount", ScalarType.Long));
            return new QueryNode($"$0.{name}($1)", counted, elements, Lambda(element, x => Condition(_outermost.With(x), 0)));
        }

        if (choice == 1)
        {
            ScalarType[] columns = [.. Readable(Read("probe", element), 0).Select(v => v.Type).OfType<ScalarType>().Where(t => t.Kind != ScalarKind.Struct).Distinct()];
            ScalarType compared = Pick(columns);
            return new QueryNode($"$0.{Pick("Min", "Max")}($1)", compared, elements, Lambda(element, x => TryLeaf(_outermost.With(x), compared)!)) { NeedsOrder = !compared.IsExact };
        }

        QueryNode number = Lambda(element, x => Mixed(_outermost.With(x), x, shared));
        ScalarType type = (ScalarType)number.Parts[0].Type;
        if (choice < 4)
            return new QueryNode($"$0.{Pick("Min", "Max")}($1)", type, elements, number) { NeedsOrder = !type.IsExact };
        // No Sum takes ulong, nor narrower numbers than int.
        if (type.Kind == ScalarKind.ULong)
        {
            type = new ScalarType(ScalarKind.Decimal, type.IsNullable);
            number = number with { Type = new LambdaType(type, 1), Parts = [new QueryNode($"(({type})$0)", type, number.Parts[0])] };
        }

        ScalarType sum = type.Kind switch
        {
            ScalarKind.UInt => new ScalarType(ScalarKind.Long, type.IsNullable),
            ScalarKind.SByte or ScalarKind.Byte or ScalarKind.Short or ScalarKind.UShort or ScalarKind.Char => new ScalarType(ScalarKind.Int, type.IsNullable),
            _ => type,
        };
        bool isFloating = sum.Kind is ScalarKind.Float or ScalarKind.Double;
        return choice < 8
            ? new QueryNode("$0.Sum($1)", sum, elements, number) { NeedsOrder = isFloating }
            : new QueryNode("$0.Average($1)", AverageOf(sum), elements, number) { NeedsOrder = isFloating };
    }

    /// <summary>A number made of columns of several widths, without conversions in the text.</summary>
    private QueryNode Mixed(QueryScope scope, QueryNode element, int? shared)
    {
        QueryNode[] columns = [.. Readable(element, 0).Where(v => v.Type is ScalarType scalar && s_widths.Contains(scalar.Kind))];
        QueryNode[] others = [.. Readable(scope).Where(v => v.Type is ScalarType scalar && s_widths.Contains(scalar.Kind))];
        QueryNode Leaf() => Chance(85) ? Pick(columns) : Pick(others);
        QueryNode number = shared is { } at ? columns[at % columns.Length] : Leaf();
        int operations = _random.Next(3);
        for (int i = 0; i < operations; i++)
        {
            QueryNode other = Leaf();
            if (Promoted(number.Type, other.Type) is { } type)
                number = new QueryNode($"($0 {Pick("*", "+", "-", "*")} $1)", type, Chance(50) ? [number, other] : [other, number]);
        }

        return Chance(20) ? new QueryNode("($0 ? $1 : default)", number.Type, Condition(scope, 0), number) : number;
    }

    /// <summary>The type in which C# computes with two numbers; null when it does not without a conversion in the text.</summary>
    private static ScalarType? Promoted(QueryType left, QueryType right)
    {
        if (left is not ScalarType a || right is not ScalarType b || !s_widths.Contains(a.Kind) || !s_widths.Contains(b.Kind))
            return null;
        bool Has(ScalarKind kind) => a.Kind == kind || b.Kind == kind;
        bool isFloating = Has(ScalarKind.Float) || Has(ScalarKind.Double);
        bool isSigned = s_signed.Contains(a.Kind) || s_signed.Contains(b.Kind);
        ScalarKind? kind = true switch
        {
            _ when Has(ScalarKind.Decimal) => isFloating ? null : ScalarKind.Decimal,
            _ when Has(ScalarKind.Double) => ScalarKind.Double,
            _ when Has(ScalarKind.Float) => ScalarKind.Float,
            _ when Has(ScalarKind.ULong) => isSigned ? null : ScalarKind.ULong,
            _ when Has(ScalarKind.Long) => ScalarKind.Long,
            _ when Has(ScalarKind.UInt) => isSigned ? ScalarKind.Long : ScalarKind.UInt,
            _ => ScalarKind.Int,
        };
        return kind is null ? null : new ScalarType(kind.Value, a.IsNullable || b.IsNullable);
    }
}
