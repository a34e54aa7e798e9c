namespace Smc.QueryCompiler.Fuzz.Queries;

/// <content>Sources and the operators that make sequences of sequences.</content>
internal sealed partial class RandomQuery
{
    private static readonly ScalarKind[] s_keys = [ScalarKind.Int, ScalarKind.Int, ScalarKind.Long, ScalarKind.String, ScalarKind.DateOnly, ScalarKind.Char, ScalarKind.Bool, ScalarKind.Enum];

    private static readonly ScalarKind[] s_numbers = [ScalarKind.Int, ScalarKind.Long, ScalarKind.Short, ScalarKind.Byte, ScalarKind.UInt, ScalarKind.Char, ScalarKind.Decimal, ScalarKind.Double];

    private static readonly ScalarKind[] s_times = [ScalarKind.DateOnly, ScalarKind.DateTime, ScalarKind.TimeOnly, ScalarKind.TimeSpan, ScalarKind.DateTimeOffset];

    private QueryNode Table() => Pick(_tables.ToArray());

    /// <summary>A sequence at the top of a query.</summary>
    private QueryNode Source() => _isPlain || Chance(94) ? Table() : Pick(_lists.ToArray());

    /// <summary>A sequence inside of an expression: a group's rows, or rows of a table that have to do with the outer element.</summary>
    private QueryNode Correlated(QueryScope scope, int depth)
    {
        QueryNode[] inScope = [.. ReadableSequences(scope)];
        QueryNode source = inScope.Length > 0 && Chance(70) ? Pick(inScope) : Chance(92) ? Related(Table(), scope) : Pick(_lists.ToArray());
        if (depth > 0 && Chance(40))
            source = new QueryNode("$0.Where($1)", source.Type is GroupType group ? new SequenceType(group.Element) : source.Type, source, Lambda(ElementOf(source), x => Condition(scope.With(x), depth - 1))) { Order = OrderRule.Keep };
        return source;
    }

    /// <summary>The rows of a table for which something of theirs equals something of the outer element, or lies between bounds that it sets.</summary>
    private QueryNode Related(QueryNode table, QueryScope scope)
    {
        if (scope.Variables.Length == 0 || Chance(15))
            return table;
        QueryType element = ElementOf(table);
        return new QueryNode("$0.Where($1)", table.Type, table, Lambda(element, x =>
        {
            if (Chance(25) && Window(x, scope) is { } window)
                return window;
            (QueryNode own, QueryNode other) = Match(x, scope) ?? (x, x);
            return own == other ? Condition(scope.With(x), 1) : Bool("($0 == $1)", own, other);
        })) { Order = OrderRule.Keep };
    }

    /// <summary>A value of the variable between two bounds of the scope; sometimes with an equality beside it.</summary>
    private QueryNode? Window(QueryNode variable, QueryScope scope)
    {
        QueryNode[] own = [.. Readable(variable, 1).Where(IsOrdered)];
        if (own.Length == 0)
            return null;
        QueryNode key = Near(own);
        QueryNode[] bounds = [.. Readable(scope).Where(o => o.Type.Equals(key.Type))];
        if (bounds.Length == 0)
            return null;
        (string from, string to) = s_numbers.Contains(((ScalarType)key.Type).Kind) ? (Pick("$1 - 3", "$1 - 20", "$1"), Pick("$2 + 3", "$2 + 1", "$2")) : ("$1", "$2");
        QueryNode window = Bool($"($0 {Pick(">", ">=")} {from} && $0 {Pick("<", "<=")} {to})", key, Near(bounds), Near(bounds));
        return Chance(30) && Match(variable, scope) is { } match ? Bool("($0 == $1 && $2)", match.Own, match.Other, window) : window;
    }

    private static bool IsOrdered(QueryNode value) => value.Type is ScalarType { IsNullable: false } scalar && (s_numbers.Contains(scalar.Kind) || s_times.Contains(scalar.Kind));

    /// <summary>Two values of one type, one of the variable and one of the scope.</summary>
    private (QueryNode Own, QueryNode Other)? Match(QueryNode variable, QueryScope scope)
    {
        QueryNode[] own = [.. Readable(variable, 1).Where(IsKey)];
        QueryNode[] others = [.. Readable(scope).Where(IsKey)];
        for (int i = 0; i < 10 && own.Length > 0; i++)
        {
            QueryNode key = Near(own);
            QueryNode[] fitting = [.. others.Where(o => o.Type.Equals(key.Type))];
            if (fitting.Length > 0)
                return (key, Near(fitting));
        }

        return null;
    }

    private static bool IsKey(QueryNode value) => value.Type is RowType { IsNullable: false } || (value.Type is ScalarType scalar && s_keys.Contains(scalar.Kind));

    /// <summary>A source with some operators behind it.</summary>
    private QueryNode Chain(QueryNode source, QueryScope scope, int operators, int depth)
    {
        for (int i = 0; i < operators; i++)
        {
            QueryNode next = _isPlain ? PlainOperator(source, scope, depth) : Chance(55) ? PlainOperator(source, scope, depth) : Operator(source, scope, depth);
            // A ThenBy may follow what is sorted, but not a method.
            source = next.Order == OrderRule.Sort ? next : PerhapsMethod(next);
        }

        return source;
    }

    private QueryNode PlainOperator(QueryNode source, QueryScope scope, int depth)
    {
        QueryType element = ElementOf(source);
        SequenceType same = new(element);
        return _random.Next(20) switch
        {
            < 8 => new QueryNode("$0.Where($1)", same, source, Lambda(element, x => Condition(scope.With(x), depth))) { Order = OrderRule.Keep },
            < 12 => Project(source, scope, depth),
            < 15 => Sort(source, scope),
            < 16 => new QueryNode("$0.Take($1)", same, source, Amount(scope)) { Order = OrderRule.Keep, NeedsOrder = true },
            _ => Group(source, scope, depth),
        };
    }

    private QueryNode Amount(QueryScope scope) => _random.Next(10) switch
    {
        0 => new QueryNode("0", ScalarType.Int),
        1 => new QueryNode("(-2)", ScalarType.Int),
        2 => TryLeaf(_outermost, ScalarType.Int)!,
        3 when scope.Variables.Length > _outermost.Variables.Length => Scalar(scope, ScalarType.Int, 0),
        4 => new QueryNode("100000", ScalarType.Int),
        _ => new QueryNode(_random.Next(1, 30).ToString(System.Globalization.CultureInfo.InvariantCulture), ScalarType.Int),
    };

    private QueryNode Project(QueryNode source, QueryScope scope, int depth)
    {
        QueryNode selector = Lambda(ElementOf(source), x => Value(scope.With(x), depth));
        return new QueryNode("$0.Select($1)", new SequenceType(selector.Parts[0].Type), source, selector) { Order = OrderRule.Keep };
    }

    /// <summary>A value to select: a scalar, a row, an object of several.</summary>
    private QueryNode Value(QueryScope scope, int depth)
    {
        if (Chance(12) && ReadableRows(scope) is { Length: > 0 } rows)
            return Pick(rows);
        return Chance(25) ? AnyScalar(scope, depth) : Composite(scope, depth);
    }

    private QueryNode AnyScalar(QueryScope scope, int depth)
    {
        QueryNode[] leaves = ReadableScalars(scope);
        ScalarType type = leaves.Length > 0 && Chance(70) ? (ScalarType)Near(leaves).Type : RandomScalarType();
        return Scalar(scope, type, depth);
    }

    private QueryNode Composite(QueryScope scope, int depth)
    {
        CompositeForm form = (CompositeForm)_random.Next(4);
        int count = form switch { CompositeForm.Record => _random.Next(2, 4), CompositeForm.Class => 2, _ => _random.Next(2, 5) };
        QueryNode[] values = [.. Enumerable.Range(0, count).Select(_ => Member(scope, depth))];
        return Composite(form, values);
    }

    private QueryNode Member(QueryScope scope, int depth)
    {
        if (Chance(20))
            return Pick([.. Readable(scope).Where(v => v.Type is ScalarType or RowType or CompositeType)]);
        if (Chance(15) && ReadableSequences(scope).Any() && !_isPlain)
        {
            if (_readsLate && Chance(40) && ReadableSequences(scope).FirstOrDefault(s => s.Type is GroupType) is { } group)
                return OfGroup(group, scope);
            QueryNode inner = Correlated(scope, 1);
            return new QueryNode("$0.ToList()", new SequenceType(ElementOf(inner)), inner) { Order = OrderRule.Keep };
        }

        return Chance(40) && ReadableSequences(scope).FirstOrDefault() is { } sequence ? Aggregate(sequence, scope, depth) : AnyScalar(scope, depth);
    }

    /// <summary>Elements of a group, or what is made of them, as a sequence.</summary>
    private QueryNode OfGroup(QueryNode group, QueryScope scope)
    {
        QueryType element = ElementOf(group);
        QueryNode elements = Chance(50)
            ? new QueryNode("$0.Where($1)", new SequenceType(element), group, Lambda(element, x => Condition(scope.With(x), 0))) { Order = OrderRule.Keep }
            : group;
        return elements == group || Chance(60) ? Project(elements, scope, 1) : elements;
    }

    private static QueryNode Composite(CompositeForm form, QueryNode[] values)
    {
        string[] names = [.. values.Select((_, i) => ((char)('A' + i)).ToString())];
        string holes = string.Join(", ", values.Select((_, i) => "$" + i));
        string named = string.Join(", ", names.Select((n, i) => $"{n} = ${i}"));
        string types = string.Join(", ", values.Select(v => v.Type.Signature));
        bool isSpeakable = values.All(v => IsSpeakable(v.Type));
        if (!isSpeakable && form is CompositeForm.Record or CompositeForm.Class)
            form = CompositeForm.Anonymous;
        string template = form switch
        {
            CompositeForm.Tuple => "(" + string.Join(", ", names.Select((n, i) => $"{n}: ${i}")) + ")",
            CompositeForm.Anonymous => $"new {{ {named} }}",
            CompositeForm.Record => values.Length == 2 ? $"new Pair<{types}>({holes})" : $"new Triple<{types}>({holes})",
            _ => $"new Box<{types}> {{ {named} }}",
        };
        return new QueryNode(template, new CompositeType(form, [.. names.Select((n, i) => (n, values[i].Type))]), values);
    }

    /// <summary>Whether the signature is the type's name in C#.</summary>
    private static bool IsSpeakable(QueryType type) => type is ScalarType or RowType;

    private QueryNode Sort(QueryNode source, QueryScope scope)
    {
        QueryType element = ElementOf(source);
        SequenceType same = new(element);
        if (Chance(35) && OrderAnalysis.Of(source).Own == ElementOrder.Any && SortByAll(source, scope) is { } sorted)
            return sorted;
        QueryNode result = source;
        int keys = _random.Next(1, 4);
        string textComparer = Chance(30) ? ", StringComparer." + Pick("Ordinal", "OrdinalIgnoreCase") : "";
        for (int i = 0; i < keys; i++)
        {
            string name = (i == 0 ? "OrderBy" : "ThenBy") + Pick("", "Descending");
            QueryNode key = Lambda(element, x => SortKey(scope.With(x), x));
            string comparer = key.Parts[0].Type is ScalarType { Kind: ScalarKind.String } ? textComparer : "";
            result = new QueryNode($"$0.{name}($1{comparer})", same, result, key) { Order = i == 0 ? OrderRule.Sort : OrderRule.Keep };
        }

        return result;
    }

    private QueryNode SortKey(QueryScope scope, QueryNode element)
    {
        QueryNode[] own = [.. Readable(element, 1).Where(v => v.Type is ScalarType { Kind: not ScalarKind.Struct })];
        return own.Length > 0 && Chance(75) ? Near(own) : Scalar(scope, Pick(ScalarType.Int, ScalarType.Decimal, ScalarType.String), 1);
    }

    /// <summary>A sort that leaves no two different elements in an order of chance; null when the elements do not allow it.</summary>
    private QueryNode? SortByAll(QueryNode source, QueryScope scope)
    {
        QueryType element = ElementOf(source);
        QueryNode probe = Read("probe", element);
        IReadOnlyList<QueryNode> parts = element switch
        {
            ScalarType => [probe],
            CompositeType { Members: var members } when members.All(m => m.Type is ScalarType) => [.. members.Select(m => new QueryNode("$0." + m.Name, m.Type, probe))],
            RowType { IsNullable: false } row => [new QueryNode("$0.Id", ScalarType.Int, probe)],
            _ => [],
        };
        if (parts.Count == 0 || parts.Any(p => !p.Type.IsExact || p.Type is ScalarType { Kind: ScalarKind.Struct }))
            return null;
        string name = NewVariable();
        string keys = string.Concat(parts.Select((p, i) => $".{(i == 0 ? "OrderBy" : "ThenBy")}{Pick("", "Descending")}({name} => {p.Text.Replace("probe", name, StringComparison.Ordinal)})"));
        return new QueryNode("$0" + keys, new SequenceType(element), source) { Order = OrderRule.Specified };
    }

    private QueryNode Key(QueryScope scope, QueryNode element)
    {
        QueryNode[] keys = [.. Readable(element, 2).Where(IsKey)];
        return keys.Length == 0 || Chance(15) ? Scalar(scope, Pick(ScalarType.Int, ScalarType.String), 1) : Near(keys);
    }

    /// <summary>
    /// Now and then a comparer, as the last argument of what tells texts apart. The first of texts that are equal for it stands for all, so the order counts.
    /// </summary>
    private (string Argument, bool NeedsOrder) TextComparer(QueryType compared, string separator = ", ") => !_isPlain && compared is ScalarType { Kind: ScalarKind.String } && Chance(25)
        ? ($"{separator}StringComparer.{Pick("OrdinalIgnoreCase", "InvariantCultureIgnoreCase", "Ordinal")}", true)
        : ("", !compared.IsExact);

    private QueryNode Group(QueryNode source, QueryScope scope, int depth)
    {
        QueryType element = ElementOf(source);
        QueryNode key = Lambda(element, x => Chance(70)
            ? Key(scope.With(x), x)
            : Composite(Pick(CompositeForm.Anonymous, CompositeForm.Tuple), [Key(scope.With(x), x), Key(scope.With(x), x)]));
        QueryType keyType = key.Parts[0].Type;
        (string comparer, bool needsOrder) = TextComparer(keyType);
        GroupType group = new(keyType, element);
        QueryNode grouped;
        if (!_isPlain && Chance(15))
        {
            QueryNode value = Lambda(element, x => Value(scope.With(x), 1));
            group = new GroupType(keyType, value.Parts[0].Type);
            grouped = new QueryNode($"$0.GroupBy($1, $2{comparer})", new SequenceType(group), source, key, value) { Order = OrderRule.Lose, NeedsOrder = needsOrder };
        }
        else if (!_isPlain && Chance(15))
        {
            QueryNode result = Lambda(keyType, new SequenceType(element), (k, g) => Composite(
                CompositeForm.Anonymous, [k, Aggregate(g, scope.With(k), depth), Aggregate(g, scope.With(k), depth)]));
            return new QueryNode($"$0.GroupBy($1, $2{comparer})", new SequenceType(result.Parts[0].Type), source, key, result) { Order = OrderRule.Lose, NeedsOrder = needsOrder };
        }
        else
        {
            grouped = new QueryNode($"$0.GroupBy($1{comparer})", new SequenceType(group), source, key) { Order = OrderRule.Lose, NeedsOrder = needsOrder };
        }

        if (Chance(25))
            grouped = new QueryNode("$0.Where($1)", grouped.Type, grouped, Lambda(group, g => Bool($"($0 {Pick(">", ">=", "!=")} $1)", new QueryNode("$0.Count()", ScalarType.Int, g), new QueryNode(Pick("1", "3", "20"), ScalarType.Int)))) { Order = OrderRule.Keep };
        if (Chance(12))
            return grouped;
        QueryNode selector = Lambda(group, g => GroupResult(g, scope, depth));
        return new QueryNode("$0.Select($1)", new SequenceType(selector.Parts[0].Type), grouped, selector) { Order = OrderRule.Keep };
    }

    private QueryNode GroupResult(QueryNode group, QueryScope scope, int depth)
    {
        QueryNode key = new("$0.Key", ((GroupType)group.Type).Key, group);
        QueryNode[] values = [.. Enumerable.Range(0, _random.Next(1, 4)).Select(_ => _readsLate && !_isPlain && Chance(10) ? OfGroup(group, scope) : Aggregate(group, scope, depth))];
        return Composite(Pick(CompositeForm.Anonymous, CompositeForm.Tuple), [key, .. values]);
    }

    private QueryNode Aggregate(QueryNode group, QueryScope scope, int depth)
    {
        QueryType element = ElementOf(group);
        if (Chance(20))
            group = new QueryNode("$0.Where($1)", new SequenceType(element), group, Lambda(element, x => Condition(scope.With(x), 0))) { Order = OrderRule.Keep };
        int choice = _random.Next(10);
        if (choice < 2)
            return new QueryNode(Pick("$0.Count()", "(int)$0.LongCount()"), ScalarType.Int, group);
        if (choice == 2)
            return new QueryNode("$0.Count($1)", ScalarType.Int, group, Lambda(element, x => Condition(scope.With(x), 0)));
        if (choice == 3)
            return Bool("$0." + Pick("Any", "All") + "($1)", group, Lambda(element, x => Condition(scope.With(x), 0)));
        if (choice == 4 && !_isPlain && element is RowType or CompositeType)
            return new QueryNode("$0.Select($1).Distinct().Count()", ScalarType.Int, group, Lambda(element, x => Scalar(scope.With(x), ScalarType.Int, 1)));
        if (Chance(6) && OneRow(group, scope) is { } row)
            return row;
        if (!_isPlain && Chance(8))
            return FirstOf(group, scope, Chance(50) ? RandomScalarType() : RandomScalarType().Nullable);
        ScalarType number = Pick(ScalarType.Int, ScalarType.Long, ScalarType.Decimal, ScalarType.Double, ScalarType.Decimal);
        if (Chance(25))
            number = number.Nullable;
        if (choice < 7)
            return new QueryNode("$0.Sum($1)", number, group, Lambda(element, x => Scalar(scope.With(x), number, Math.Min(depth, 2)))) { NeedsOrder = number.Kind == ScalarKind.Double };
        if (choice == 7)
            return new QueryNode("$0.Average($1)", AverageOf(number), group, Lambda(element, x => Scalar(scope.With(x), number, Math.Min(depth, 1)))) { NeedsOrder = number.Kind == ScalarKind.Double };
        ScalarType compared = Chance(50) ? number : Pick(ScalarType.String, new ScalarType(ScalarKind.DateOnly), new ScalarType(ScalarKind.DateTime, true));
        return new QueryNode($"$0.{Pick("Min", "Max")}($1)", compared, group, Lambda(element, x => Scalar(scope.With(x), compared, Math.Min(depth, 1)))) { NeedsOrder = !compared.IsExact };
    }

    private static ScalarType AverageOf(ScalarType number) =>
        new(number.Kind is ScalarKind.Int or ScalarKind.Long ? ScalarKind.Double : number.Kind, number.IsNullable);
}
