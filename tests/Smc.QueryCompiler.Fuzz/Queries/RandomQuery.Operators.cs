namespace Smc.QueryCompiler.Fuzz.Queries;

/// <content>The rest of LINQ's operators: joins, flattening, set operations, parts of a sequence.</content>
internal sealed partial class RandomQuery
{
    private QueryNode Operator(QueryNode source, QueryScope scope, int depth)
    {
        QueryType element = ElementOf(source);
        SequenceType same = new(element);
        QueryNode Keep(string template, params QueryNode[] parts) => new(template, same, parts) { Order = OrderRule.Keep, NeedsOrder = true };
        return _random.Next(30) switch
        {
            < 5 => Join(source, scope, depth),
            < 7 => GroupJoin(source, scope, depth),
            < 10 => Flatten(source, scope, depth),
            < 12 => WithoutRepeats("Distinct", source),
            12 => DistinctBy(source, scope),
            < 16 => SetOperation(source, scope, depth),
            16 => Keep("$0.Skip($1)", source, Amount(scope)),
            17 => Keep("$0." + Pick("TakeWhile", "SkipWhile") + "($1)", source, Lambda(element, x => Condition(scope.With(x), 0))),
            18 => Keep("$0." + Pick("TakeLast", "SkipLast") + "($1)", source, Amount(scope)),
            19 when Chance(40) => Keep("$0.Take($1)", source, _range),
            19 => Keep("$0.Take(" + Pick("2..5", "^4..", "..^3", "3..^1") + ")", source),
            20 => Keep("$0.Reverse()", source),
            21 => Keep("$0." + Pick("Append", "Prepend") + "($1)", source, new QueryNode("$0.First()", element, source)),
            22 when element is ScalarType scalar => new QueryNode("$0.DefaultIfEmpty($1)", same, source, Literal(scalar.Kind)) { Order = OrderRule.Keep },
            22 => new QueryNode("$0.DefaultIfEmpty()", same, source) { Order = OrderRule.Keep },
            23 => Indexed(source, scope),
            24 => Zip(source, scope),
            25 => Counted(source, scope),
            26 when element is ScalarType { Kind: not ScalarKind.Struct } => new QueryNode(Pick("$0.Order()", "$0.OrderDescending()"), same, source) { Order = element.IsExact ? OrderRule.Specified : OrderRule.Sort },
            27 => Chunks(source),
            28 => Let(source, scope, depth),
            _ => Project(source, scope, depth),
        };
    }

    /// <summary>What <c>let</c> becomes: the element and a value of it in one object.</summary>
    private QueryNode Let(QueryNode source, QueryScope scope, int depth)
    {
        QueryType element = ElementOf(source);
        QueryNode selector = Lambda(element, x => Composite(CompositeForm.Anonymous, [x, (Chance(30) ? OneRow(Correlated(scope.With(x), depth - 1), scope.With(x)) : null) ?? AnyScalar(scope.With(x), depth)]));
        return new QueryNode("$0.Select($1)", new SequenceType(selector.Parts[0].Type), source, selector) { Order = OrderRule.Keep };
    }

    /// <summary>One of the rows of a sequence; null when it has no rows.</summary>
    private QueryNode? OneRow(QueryNode rows, QueryScope scope)
    {
        if (ElementOf(rows) is not RowType { IsNullable: false } row)
            return null;
        return Chance(60)
            ? new QueryNode(Pick("$0.FirstOrDefault()", "$0.LastOrDefault()"), row, rows) { NeedsOrder = true }
            : new QueryNode(Pick("$0.MaxBy($1)", "$0.MinBy($1)"), row, rows, Lambda(row, x => SortKey(scope.With(x), x))) { NeedsOrder = true };
    }

    private QueryNode Indexed(QueryNode source, QueryScope scope)
    {
        QueryType element = ElementOf(source);
        if (Chance(50))
            return new QueryNode("$0.Where($1)", new SequenceType(element), source, Lambda(element, ScalarType.Int, (x, i) => Condition(scope.With(x, i), 1))) { Order = OrderRule.Keep, NeedsOrder = true };
        QueryNode selector = Lambda(element, ScalarType.Int, (x, i) => Composite(CompositeForm.Tuple, [i, AnyScalar(scope.With(x, i), 1)]));
        return new QueryNode("$0.Select($1)", new SequenceType(selector.Parts[0].Type), source, selector) { Order = OrderRule.Keep, NeedsOrder = true };
    }

    private QueryNode Zip(QueryNode source, QueryScope scope)
    {
        QueryNode other = Source();
        QueryNode result = Lambda(ElementOf(source), ElementOf(other), (x, y) => Composite(scope.With(x, y), 0));
        return new QueryNode("$0.Zip($1, $2)", new SequenceType(result.Parts[0].Type), source, other, result) { Order = OrderRule.All, NeedsOrder = true };
    }

    private QueryNode Counted(QueryNode source, QueryScope scope)
    {
        QueryNode key = Lambda(ElementOf(source), x => Key(scope.With(x), x));
        QueryType keyType = key.Parts[0].Type;
        if (Chance(60))
        {
            return new QueryNode("$0.CountBy($1).Select(x => (A: x.Key, B: x.Value))", new SequenceType(new CompositeType(CompositeForm.Tuple, [("A", keyType), ("B", ScalarType.Int)])), source, key)
            { Order = OrderRule.Lose, NeedsOrder = !keyType.IsExact };
        }

        QueryNode add = Lambda(ScalarType.Int, ElementOf(source), (sum, x) => new QueryNode("($0 + $1)", ScalarType.Int, sum, Scalar(scope.With(x), ScalarType.Int, 0)));
        return new QueryNode("$0.AggregateBy($1, 0, $2).Select(x => (A: x.Key, B: x.Value))", new SequenceType(new CompositeType(CompositeForm.Tuple, [("A", keyType), ("B", ScalarType.Int)])), source, key, add)
        { Order = OrderRule.Lose, NeedsOrder = !keyType.IsExact };
    }

    private QueryNode Chunks(QueryNode source)
    {
        QueryType element = ElementOf(source);
        QueryNode chunks = new("$0.Chunk(" + Pick("1", "3", "50") + ")", new SequenceType(new SequenceType(element)), source) { Order = OrderRule.Keep, NeedsOrder = true };
        return new QueryNode("$0.Select($1)", new SequenceType(ScalarType.Int), chunks, Lambda(new SequenceType(element), c => new QueryNode("$0.Length", ScalarType.Int, c))) { Order = OrderRule.Keep };
    }

    private QueryNode Join(QueryNode source, QueryScope scope, int depth)
    {
        QueryNode inner = Inner(depth);
        QueryType outerElement = ElementOf(source);
        QueryType innerElement = ElementOf(inner);
        string name = Chance(70) ? "Join" : Pick("LeftJoin", "RightJoin");
        bool isTwice = Chance(20);
        if (Keys(outerElement, innerElement, isTwice) is not { } keys)
            return Project(source, scope, depth);
        // What a missing row gives is asked for only where it is not read: the null handle is not followed.
        QueryNode result = Lambda(outerElement, innerElement, (x, y) => name switch
        {
            "Join" => Value(scope.With(x, y), depth),
            "LeftJoin" => Composite(CompositeForm.Anonymous, [AnyScalar(scope.With(x), 1), y]),
            _ => Composite(CompositeForm.Anonymous, [x, AnyScalar(scope.With(y), 1)]),
        });
        string comparer = TextComparer(keys.Outer.Parts[0].Type).Argument;
        return new QueryNode($"$0.{name}($1, $2, $3, $4{comparer})", new SequenceType(result.Parts[0].Type), source, inner, keys.Outer, keys.Inner, result) { Order = OrderRule.Lose };
    }

    private QueryNode Inner(int depth)
    {
        QueryNode table = Table();
        return depth > 0 && Chance(40)
            ? new QueryNode("$0.Where($1)", table.Type, table, Lambda(ElementOf(table), x => Condition(_outermost.With(x), 1))) { Order = OrderRule.Keep }
            : table;
    }

    private (QueryNode Outer, QueryNode Inner)? Keys(QueryType outer, QueryType inner, bool isTwice)
    {
        string a = NewVariable();
        string b = NewVariable();
        QueryNode x = Read(a, outer);
        QueryNode y = Read(b, inner);
        if (Match(x, new QueryScope([y])) is not { } first)
            return null;
        (QueryNode Own, QueryNode Other)? second = isTwice ? Match(x, new QueryScope([y])) : null;
        QueryNode left = second is null ? first.Own : Composite(CompositeForm.Anonymous, [first.Own, second.Value.Own]);
        QueryNode right = second is null ? first.Other : Composite(CompositeForm.Anonymous, [first.Other, second.Value.Other]);
        return (new QueryNode(a + " => $0", new LambdaType(left.Type, 1), left) { Binds = [a] }, new QueryNode(b + " => $0", new LambdaType(right.Type, 1), right) { Binds = [b] });
    }

    private QueryNode GroupJoin(QueryNode source, QueryScope scope, int depth)
    {
        QueryNode inner = Inner(depth);
        QueryType outerElement = ElementOf(source);
        QueryType innerElement = ElementOf(inner);
        if (Keys(outerElement, innerElement, isTwice: false) is not { } keys)
            return Project(source, scope, depth);
        QueryNode result = Lambda(outerElement, new SequenceType(innerElement), (x, ys) => Chance(70)
            ? Composite(CompositeForm.Anonymous, [AnyScalar(scope.With(x), 1), Aggregate(ys, scope.With(x), 1), Aggregate(ys, scope.With(x), 1)])
            : Composite(CompositeForm.Anonymous, [x, ys]));
        return new QueryNode($"$0.GroupJoin($1, $2, $3, $4{TextComparer(keys.Outer.Parts[0].Type).Argument})", new SequenceType(result.Parts[0].Type), source, inner, keys.Outer, keys.Inner, result) { Order = OrderRule.Keep };
    }

    private QueryNode Flatten(QueryNode source, QueryScope scope, int depth)
    {
        QueryType outer = ElementOf(source);
        QueryNode collection = Lambda(outer, x =>
        {
            QueryNode inner = Correlated(scope.With(x), depth - 1);
            return Chance(20) ? new QueryNode("$0.Take(2)", new SequenceType(ElementOf(inner)), inner) { Order = OrderRule.Keep, NeedsOrder = true } : inner;
        });
        QueryType element = ElementOf(collection.Parts[0]);
        if (Chance(40))
            return new QueryNode("$0.SelectMany($1)", new SequenceType(element), source, collection) { Order = OrderRule.Lose };
        QueryNode result = Lambda(outer, element, (x, y) => Value(scope.With(x, y), depth));
        return new QueryNode("$0.SelectMany($1, $2)", new SequenceType(result.Parts[0].Type), source, collection, result) { Order = OrderRule.Lose };
    }

    /// <summary><c>Distinct</c> or <c>ToHashSet</c>.</summary>
    private QueryNode WithoutRepeats(string name, QueryNode source)
    {
        QueryType element = ElementOf(source);
        (string comparer, bool needsOrder) = TextComparer(element, separator: "");
        return new QueryNode($"$0.{name}({comparer})", new SequenceType(element), source) { Order = OrderRule.Lose, NeedsOrder = needsOrder };
    }

    private QueryNode DistinctBy(QueryNode source, QueryScope scope)
    {
        QueryType element = ElementOf(source);
        QueryNode key = Lambda(element, x => Key(scope.With(x), x));
        return new QueryNode($"$0.DistinctBy($1{TextComparer(key.Parts[0].Type).Argument})", new SequenceType(element), source, key) { Order = OrderRule.Lose, NeedsOrder = true };
    }

    private QueryNode SetOperation(QueryNode source, QueryScope scope, int depth)
    {
        QueryType element = ElementOf(source);
        SequenceType same = new(element);
        QueryNode other = SameElements(source, scope, depth);
        string name = Pick("Concat", "Union", "Intersect", "Except", "UnionBy");
        (string comparer, bool needsOrder) = TextComparer(element);
        return name switch
        {
            "Concat" => new QueryNode("$0.Concat($1)", same, source, other) { Order = OrderRule.All },
            "UnionBy" => new QueryNode("$0.UnionBy($1, $2)", same, source, other, Lambda(element, x => Key(scope.With(x), x))) { Order = OrderRule.Lose, NeedsOrder = true },
            _ => new QueryNode($"$0.{name}($1{comparer})", same, source, other) { Order = OrderRule.Lose, NeedsOrder = needsOrder },
        };
    }

    /// <summary>Another sequence of the same type.</summary>
    private QueryNode SameElements(QueryNode source, QueryScope scope, int depth)
    {
        QueryType element = ElementOf(source);
        if (element is RowType { IsNullable: false } row)
        {
            QueryNode table = _tables.First(t => ElementOf(t).Equals(row));
            return new QueryNode("$0.Where($1)", table.Type, table, Lambda(row, x => Condition(scope.With(x), depth))) { Order = OrderRule.Keep };
        }

        if (element is ScalarType scalar)
        {
            if (_lists.FirstOrDefault(l => ElementOf(l).Equals(scalar)) is { } list && Chance(30))
                return list;
            QueryNode table = Table();
            return new QueryNode("$0.Select($1)", new SequenceType(element), table, Lambda(ElementOf(table), x => Scalar(scope.With(x), scalar, 1))) { Order = OrderRule.Keep };
        }

        return new QueryNode("$0.Where($1)", new SequenceType(element), source, Lambda(element, x => Condition(scope.With(x), 1))) { Order = OrderRule.Keep };
    }
}
