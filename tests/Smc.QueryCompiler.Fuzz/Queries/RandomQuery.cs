using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Queries;

/// <summary>Makes one random query, by types: every expression is made for the type that its place asks for.</summary>
internal sealed partial class RandomQuery
{
    private readonly DatabaseSchema _schema;
    private readonly Random _random;
    private readonly List<QueryParameter> _parameters = [];
    private readonly List<QueryNode> _tables = [];
    private readonly List<QueryNode> _lists = [];
    private readonly QueryNode _index;
    private readonly QueryNode _range;
    private readonly QueryScope _outermost;

    /// <summary>Only operators over one collection that were compiled from the first day on: the ground that most queries of users stand on.</summary>
    private readonly bool _isPlain;

    /// <summary>Whether objects may hold elements of groups as sequences that LINQ reads only when somebody asks for them.</summary>
    private readonly bool _readsLate;

    private int _variables;

    private RandomQuery(DatabaseSchema schema, Random random, bool readsLate)
    {
        _readsLate = readsLate;
        _schema = schema;
        _random = random;
        _isPlain = random.Next(3) == 0;
        foreach (TableSchema table in schema.Tables)
            _tables.Add(new QueryNode(table.Parameter, new SequenceType(table.Row)) { Order = OrderRule.Memory, Variable = table.Parameter });
        List<QueryNode> scalars = [];
        foreach (ScalarType type in new[] { ScalarType.Int, RandomScalarType(), RandomScalarType() })
            scalars.Add(Parameter(type));
        foreach (ScalarType type in new[] { ScalarType.Int, ScalarType.String })
            _lists.Add(ListParameter(type));
        scalars.Add(NullableParameter(RandomScalarType()));
        ParameterForm form = Pick(ParameterForm.All.ToArray());
        scalars.Add(Parameter(form.Type, form.ValueText));
        _index = Parameter(ParameterType.Index, Pick("^1", "^3", "0", "2"));
        _range = Parameter(ParameterType.Range, Pick("1..4", "^5..", "..^2", "2..^1", "..3"));
        _outermost = new QueryScope([.. scalars]);
    }

    /// <summary>A query whose right answer is determined.</summary>
    public static RandomQueryCase Make(DatabaseSchema schema, Random random, bool readsLate)
    {
        while (true)
        {
            RandomQuery maker = new(schema, random, readsLate);
            QueryNode query = maker.Terminal();
            if (query.Size < 140 && OrderAnalysis.IsDetermined(query))
                return new RandomQueryCase(query, maker._parameters).Used();
        }
    }

    private QueryNode Parameter(ScalarType type)
    {
        string name = "p" + _parameters.Count.ToString(System.Globalization.CultureInfo.InvariantCulture);
        object value = RandomValues.Of(type.Kind, Spread.Few, _random);
        _parameters.Add(new QueryParameter(name, type.Signature, value, ScalarText.Literal(type.Kind, value)));
        return new QueryNode(name, type) { Variable = name };
    }

    private QueryNode NullableParameter(ScalarType type)
    {
        string value = Chance(30) ? "null" : ScalarText.Literal(type.Kind, RandomValues.Of(type.Kind, Spread.Few, _random));
        return Parameter(type.Nullable, value);
    }

    /// <summary>A parameter whose value is made where the query is asked.</summary>
    private QueryNode Parameter(QueryType type, string value)
    {
        string name = "p" + _parameters.Count.ToString(System.Globalization.CultureInfo.InvariantCulture);
        string declared = type is ScalarType { Kind: ScalarKind.String } ? "string?" : type.Signature;
        _parameters.Add(new QueryParameter(name, declared, Value: null, value));
        return new QueryNode(name, type) { Variable = name };
    }

    private QueryNode ListParameter(ScalarType type)
    {
        string name = "l" + _parameters.Count.ToString(System.Globalization.CultureInfo.InvariantCulture);
        object[] values = [.. Enumerable.Range(0, _random.Next(0, 6)).Select(_ => RandomValues.Of(type.Kind, Spread.Few, _random))];
        string declared = Pick("List<{0}>", "{0}[]", "IEnumerable<{0}>", "IReadOnlyList<{0}>", "IList<{0}>", "ICollection<{0}>", "IReadOnlyCollection<{0}>").Replace("{0}", type.Signature, StringComparison.Ordinal);
        bool isArray = declared.EndsWith("[]", StringComparison.Ordinal);
        object list = type.Kind == ScalarKind.Int
            ? isArray ? values.Cast<int>().ToArray() : values.Cast<int>().ToList()
            : isArray ? values.Cast<string>().ToArray() : values.Cast<string>().ToList();
        string text = $"new {(isArray ? type.Signature + "[]" : $"List<{type.Signature}>")} {{ {string.Join(", ", values.Select(v => ScalarText.Literal(type.Kind, v)))} }}";
        _parameters.Add(new QueryParameter(name, declared, list, text));
        return new QueryNode(name, new SequenceType(type)) { Order = OrderRule.Specified, Variable = name };
    }

    private T Pick<T>(params T[] choices) => choices[_random.Next(choices.Length)];

    private bool Chance(int percent) => _random.Next(100) < percent;

    private ScalarType RandomScalarType() => Chance(80)
        ? Pick(ScalarType.Int, ScalarType.Long, ScalarType.Decimal, ScalarType.Double, ScalarType.String, ScalarType.Bool, new ScalarType(ScalarKind.DateOnly), new ScalarType(ScalarKind.Char))
        : new ScalarType((ScalarKind)_random.Next(Enum.GetValues<ScalarKind>().Length));

    private string NewVariable() => "x" + (++_variables).ToString(System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>The variable as something to read; a group's rows come in the order of its variable.</summary>
    private static QueryNode Read(string name, QueryType type) =>
        new(name, type) { Variable = name, Order = type is SequenceType ? OrderRule.Variable : OrderRule.None };

    /// <summary><c>x => body</c>.</summary>
    private QueryNode Lambda(QueryType parameter, Func<QueryNode, QueryNode> body)
    {
        string name = NewVariable();
        QueryNode result = body(Read(name, parameter));
        return new QueryNode(name + " => $0", new LambdaType(result.Type, 1), result) { Binds = [name], Order = OrderRule.Keep };
    }

    private QueryNode Lambda(QueryType first, QueryType second, Func<QueryNode, QueryNode, QueryNode> body)
    {
        string a = NewVariable();
        string b = NewVariable();
        QueryNode result = body(Read(a, first), Read(b, second));
        return new QueryNode($"({a}, {b}) => $0", new LambdaType(result.Type, 2), result) { Binds = [a, b], Order = OrderRule.Keep };
    }

    private static QueryType ElementOf(QueryNode sequence) => ((SequenceType)sequence.Type).Element;

    /// <summary>Now and then a part of a query is in a method of its own.</summary>
    private QueryNode PerhapsMethod(QueryNode node) =>
        node.Parts.Length > 0 && Chance(5) && QueryMethods.CanHold(node) ? node with { IsMethod = true } : node;

    private QueryNode Literal(ScalarKind kind)
    {
        object value = RandomValues.Of(kind, Chance(90) ? Spread.Few : Spread.Extreme, _random);
        return new QueryNode(ScalarText.Literal(kind, value), new ScalarType(kind));
    }
}
