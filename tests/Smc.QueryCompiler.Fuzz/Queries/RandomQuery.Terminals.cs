namespace Smc.QueryCompiler.Fuzz.Queries;

/// <content>Whole queries: a chain of operators, or clauses, and how it ends.</content>
internal sealed partial class RandomQuery
{
    private QueryNode Terminal()
    {
        int depth = _random.Next(1, 3);
        if (Chance(15))
            return Aggregates(depth);
        QueryNode sequence = Chance(20) ? Clauses(depth) : Chain(Source(), _outermost, _random.Next(0, _isPlain ? 5 : 6), depth);
        QueryType element = ElementOf(sequence);
        int choice = _random.Next(_isPlain ? 80 : 100);
        return choice switch
        {
            < 42 => Elements(sequence),
            < 64 => Scalar(sequence, depth),
            < 80 => One(sequence),
            < 84 when element is ScalarType scalar => Bool("$0.Contains($1)", sequence, Scalar(_outermost, scalar, 1)),
            < 88 => Keyed(sequence),
            < 90 => WithoutRepeats("ToHashSet", sequence),
            < 94 => ByKey(sequence),
            < 96 => Bool("$0.SequenceEqual($1)", sequence, sequence) with { NeedsOrder = true },
            < 98 => Fold(sequence),
            _ => Bool("$0.Any($1)", sequence, Lambda(element, x => Condition(_outermost.With(x), depth))),
        };
    }

    private QueryNode Elements(QueryNode sequence)
    {
        QueryType element = ElementOf(sequence);
        // The rows of a group are compared as a list; a group has no text of its own.
        if (element is GroupType group)
        {
            QueryNode rows = Lambda(group, g => Composite(CompositeForm.Tuple, [new QueryNode("$0.Key", group.Key, g), new QueryNode("$0.ToList()", new SequenceType(group.Element), g) { Order = OrderRule.Keep }]));
            sequence = new QueryNode("$0.Select($1)", new SequenceType(rows.Parts[0].Type), sequence, rows) { Order = OrderRule.Keep };
        }

        return new QueryNode(Pick("$0.ToList()", "$0.ToList()", "$0.ToArray()"), sequence.Type, sequence) { Order = OrderRule.Keep };
    }

    private QueryNode Scalar(QueryNode sequence, int depth)
    {
        QueryType element = ElementOf(sequence);
        QueryNode With(string name, Func<QueryNode, QueryNode> body, ScalarType type, bool needsOrder = false) =>
            new($"$0.{name}($1)", type, sequence, Lambda(element, body)) { NeedsOrder = needsOrder };
        if (Chance(30))
        {
            return _random.Next(5) switch
            {
                0 => new QueryNode("$0.Count()", ScalarType.Int, sequence),
                1 => new QueryNode("$0.LongCount()", ScalarType.Long, sequence),
                2 => Bool("$0.Any()", sequence),
                3 => With("Count", x => Condition(_outermost.With(x), depth), ScalarType.Int),
                _ => With("All", x => Condition(_outermost.With(x), depth), ScalarType.Bool),
            };
        }

        ScalarType number = new(Pick(ScalarKind.Int, ScalarKind.Long, ScalarKind.Decimal, ScalarKind.Double, ScalarKind.Float, ScalarKind.Decimal, ScalarKind.Int), Chance(25));
        bool isFloating = number.Kind is ScalarKind.Double or ScalarKind.Float;
        switch (_random.Next(4))
        {
            case 0:
                return With("Sum", x => Scalar(_outermost.With(x), number, depth), number, isFloating);
            case 1:
                return With("Average", x => Scalar(_outermost.With(x), number, depth), AverageOf(number), isFloating);
            default:
                ScalarType compared = Chance(50) ? number : new ScalarType((ScalarKind)_random.Next((int)ScalarKind.Struct), Chance(25));
                return With(Pick("Min", "Max"), x => Scalar(_outermost.With(x), compared, depth), compared, !compared.IsExact);
        }
    }

    private QueryNode One(QueryNode sequence)
    {
        QueryType element = ElementOf(sequence);
        if (element is GroupType)
            return Elements(sequence);
        string end = Pick("First()", "FirstOrDefault()", "Single()", "SingleOrDefault()", "First()", "FirstOrDefault()", "Last()", "LastOrDefault()", "ElementAt(2)", "ElementAtOrDefault(3)", "ElementAt(^1)");
        return Chance(10)
            ? new QueryNode(Pick("$0.ElementAt($1)", "$0.ElementAtOrDefault($1)"), element, sequence, _index) { NeedsOrder = true }
            : new QueryNode("$0." + end, element, sequence) { NeedsOrder = true };
    }

    private QueryNode Keyed(QueryNode sequence)
    {
        QueryType element = ElementOf(sequence);
        QueryNode key = Lambda(element, x => Key(_outermost.With(x), x));
        bool hasValue = Chance(50);
        QueryNode value = Lambda(element, x => AnyScalar(_outermost.With(x), 1));
        string name = Pick("ToDictionary", "ToLookup");
        (string comparer, bool needsOrder) = TextComparer(key.Parts[0].Type);
        // A dictionary's exception names the key that came first, and a lookup keeps its groups' order.
        QueryNode result = hasValue
            ? new QueryNode($"$0.{name}($1, $2{comparer})", new SequenceType(element), sequence, key, value)
            : new QueryNode($"$0.{name}($1{comparer})", new SequenceType(element), sequence, key);
        return result with { Order = OrderRule.Lose, NeedsOrder = needsOrder };
    }

    private QueryNode ByKey(QueryNode sequence)
    {
        QueryType element = ElementOf(sequence);
        if (element is GroupType)
            return Elements(sequence);
        return new QueryNode($"$0.{Pick("MinBy", "MaxBy")}($1)", element, sequence, Lambda(element, x => Scalar(_outermost.With(x), Pick(ScalarType.Int, ScalarType.Decimal, ScalarType.Int.Nullable), 1))) { NeedsOrder = true };
    }

    private QueryNode Fold(QueryNode sequence)
    {
        QueryType element = ElementOf(sequence);
        if (Chance(50))
            return FoldTogether(sequence, element);
        QueryNode step = Lambda(ScalarType.Long, element, (sum, x) => new QueryNode("($0 * 3 + $1)", ScalarType.Long, sum, Scalar(_outermost.With(x), ScalarType.Int, 1)));
        return new QueryNode("$0.Aggregate(7L, $1)", ScalarType.Long, sequence, step) { NeedsOrder = true };
    }

    /// <summary>A number and the last value of something, in one object.</summary>
    private QueryNode FoldTogether(QueryNode sequence, QueryType element)
    {
        CompositeForm form = Pick(CompositeForm.Anonymous, CompositeForm.Tuple);
        QueryNode[] begin = [new QueryNode("7L", ScalarType.Long), new QueryNode("default(int?)", ScalarType.Int.Nullable)];
        QueryNode seed = Composite(form, begin);
        (string Name, QueryType Type)[] members = [.. ((CompositeType)seed.Type).Members];
        QueryNode step = Lambda(seed.Type, element, (sum, x) => Composite(form,
        [
            new QueryNode($"($0.{members[0].Name} * 3 + ($0.{members[1].Name} ?? $1))", ScalarType.Long, sum, Scalar(_outermost.With(x), ScalarType.Int, 1)),
            Scalar(_outermost.With(x), ScalarType.Int.Nullable, 1),
        ]));
        (string name, QueryType type) = Chance(30) ? members.Select(m => ("." + m.Name, m.Type)).ElementAt(_random.Next(2)) : ("", seed.Type);
        return new QueryNode($"$0.Aggregate($1, $2){name}", type, sequence, seed, step) { NeedsOrder = true };
    }

    /// <summary><c>from … where … orderby … select …</c>.</summary>
    private QueryNode Clauses(int depth)
    {
        QueryNode source = Source();
        string name = NewVariable();
        QueryNode x = Read(name, ElementOf(source));
        QueryScope scope = _outermost.With(x);
        List<QueryNode> parts = [source];
        List<string> bound = [name];
        string text = $"(from {name} in $0";
        OrderRule order = OrderRule.Keep;
        if (Chance(40) && !_isPlain)
        {
            order = OrderRule.Lose;
            string other = NewVariable();
            if (Chance(50))
            {
                QueryNode inner = Correlated(scope, 1);
                text += $" from {other} in ${Clause(inner)}";
                scope = scope.With(Read(other, ElementOf(inner)));
                bound.Add(other);
            }
            else
            {
                QueryNode inner = Inner(1);
                QueryNode y = Read(other, ElementOf(inner));
                if (Match(x, new QueryScope([y])) is { } match)
                {
                    parts.Add(inner);
                    string table = "$" + (parts.Count - 1);
                    string own = "$" + Clause(match.Own);
                    bound.Add(other);
                    text += $" join {other} in {table} on {own} equals ${Clause(match.Other)}";
                    scope = scope.With(y);
                }
            }
        }

        if (Chance(40))
        {
            string let = NewVariable();
            QueryNode value = AnyScalar(scope, depth);
            text += $" let {let} = ${Clause(value)}";
            bound.Add(let);
            scope = scope.With(Read(let, value.Type));
        }

        if (Chance(70))
            text += $" where ${Clause(Condition(scope, depth))}";
        if (Chance(40))
        {
            text += $" orderby ${Clause(SortKey(scope, x))} {Pick("", "descending")}";
            if (order == OrderRule.Keep)
                order = OrderRule.Sort;
        }

        QueryNode result = Value(scope, depth);
        return new QueryNode(text + $" select ${Clause(result)})", new SequenceType(result.Type), [.. parts]) { Order = order };

        // A clause sees all variables before it.
        int Clause(QueryNode node)
        {
            parts.Add(new QueryNode("$0", new LambdaType(node.Type, bound.Count), node) { Binds = [.. bound], Order = OrderRule.Keep });
            return parts.Count - 1;
        }
    }
}
