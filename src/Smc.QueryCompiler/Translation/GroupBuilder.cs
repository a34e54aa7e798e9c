using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>One grouping while the operators above it are translated: it collects the aggregates that they ask for, equal ones once.</summary>
internal sealed class GroupBuilder(PlanNumbers numbers, IReadOnlyList<TabularShape> shapes, LogicalOperator input, IReadOnlyList<ScalarExpression> keys)
{
    private readonly List<AggregateCall> _aggregates = [];
    private readonly List<Binding> _bindings = [];
    private readonly int _firstLater = numbers.Variables;
    private LogicalOperator _input = input;
    private IReadOnlyList<ScalarExpression> _keys = keys;

    /// <summary>The group's number in the plan.</summary>
    public int Number { get; } = numbers.Group();

    public KeyRead Key(int index) => new(_keys[index].Type, index, Number);

    /// <summary>The aggregate; null when its expressions read what does not exist below the group, such as its other aggregates.</summary>
    public AggregateRead? TryRead(AggregateCall call)
    {
        AggregateCall below = call with { Selector = Below(call.Selector), Predicate = Below(call.Predicate), Seed = Below(call.Seed), First = Below(call.First) };
        if (new[] { below.Selector, below.Predicate, below.Seed, below.First }.OfType<ScalarExpression>().Any(e => !IsBelow(e, call.Accumulator)))
            return null;
        int index = _aggregates.IndexOf(below);
        if (index < 0)
        {
            index = _aggregates.Count;
            _aggregates.Add(below);
        }

        return new AggregateRead(call.Type, index, Number);
    }

    /// <summary>A variable below the group that holds an expression, evaluated once a row; null when the expression reads what does not exist there.</summary>
    public ValueVariable? TryBind(ScalarExpression expression)
    {
        ScalarExpression below = Below(expression)!;
        if (!IsBelow(below, accumulator: -1))
            return null;
        int variable = Bind(below);
        return new ValueVariable(expression.Type, variable, _bindings.First(b => b.Variable == variable).Name);
    }

    /// <summary>The number of a variable below the group that holds an expression over what is visible there.</summary>
    public int Bind(ScalarExpression expression)
    {
        Binding? known = _bindings.FirstOrDefault(b => b.Value.Equals(expression));
        if (known is null)
        {
            ValueVariable variable = numbers.Value(expression.Type, "kept");
            known = new Binding(variable.Variable, variable.Name, expression);
            _bindings.Add(known);
        }

        return known.Variable;
    }

    /// <summary>The elements as operators over the rows of the group.</summary>
    public Pipe OpenRows(GroupElements elements)
    {
        GroupRowsBuilder rows = new(numbers, this, Completed());
        SymbolicValue element = elements.Element.Map(rows.Map);
        LogicalOperator source = new PendingGroupRows(rows);
        if (elements.Predicate is { } predicate)
            source = new Filter(source, rows.Map(predicate));
        if (elements.IsDistinct)
            source = new Distinct(source, EquatableArray.Of(((ScalarValue)element).Expression));
        return new Pipe(source, element);
    }

    /// <summary>Puts other expressions in place of those that the grouping reads from around it.</summary>
    public void Map(Func<ScalarExpression, ScalarExpression> map)
    {
        _input = _input.MapAll(map);
        _keys = [.. _keys.Select(map)];
        for (int i = 0; i < _aggregates.Count; i++)
            _aggregates[i] = MapCall(_aggregates[i], map);
        for (int i = 0; i < _bindings.Count; i++)
            _bindings[i] = _bindings[i] with { Value = map(_bindings[i].Value) };
    }

    /// <summary>The operator with the aggregates known so far.</summary>
    public Aggregate Completed()
    {
        LogicalOperator source = PlanCompletion.Complete(_input);
        if (_bindings.Count > 0)
            source = new Compute(source, _bindings.ToEquatableArray());
        return new Aggregate(source, _keys.ToEquatableArray(), _aggregates.ToEquatableArray(), Number);
    }

    private static AggregateCall MapCall(AggregateCall call, Func<ScalarExpression, ScalarExpression> map) => call with
    {
        Selector = call.Selector is null ? null : map(call.Selector),
        Predicate = call.Predicate is null ? null : map(call.Predicate),
        Seed = call.Seed is null ? null : map(call.Seed),
        First = call.First is null ? null : map(call.First),
    };

    /// <summary>
    /// An aggregate's expressions are evaluated per row: there the group's key is the expression that it was made from, unless they would tell a row's key from the group's, which is
    /// that of its first row.
    /// </summary>
    private ScalarExpression? Below(ScalarExpression? expression) => expression is null || !EqualKeys.AreOneFor(expression, MayDiffer)
        ? expression
        : expression.Replace(part => part is KeyRead key && key.Group == Number ? _keys[key.Index] : null);

    private bool MayDiffer(ScalarExpression part) => part is KeyRead key && key.Group == Number && !EqualKeys.AreIdentical(_keys[key.Index], shapes);

    private bool IsBelow(ScalarExpression expression, int accumulator)
    {
        HashSet<int> inside = [.. expression.SelfAndDescendants().OfType<Subquery>().SelectMany(q => q.Root.SelfAndAll()).SelectMany(n => n.Defined())];
        HashSet<int> groupsInside = [.. expression.SelfAndDescendants().OfType<Subquery>().SelectMany(q => q.Root.SelfAndAll()).OfType<Aggregate>().Select(a => a.Group)];
        return expression.SelfAndDescendants().All(part => part switch
        {
            RowVariable row => IsVariableBelow(row.Variable),
            ValueVariable value => IsVariableBelow(value.Variable),
            KeyRead key => key.Group < Number || groupsInside.Contains(key.Group),
            AggregateRead read => read.Group < Number || groupsInside.Contains(read.Group),
            Subquery query => query.Root.SelfAndInputs().OfType<GroupRows>().All(rows => rows.Group < Number || groupsInside.Contains(rows.Group)),
            _ => true,
        });

        bool IsVariableBelow(int variable) => variable < _firstLater || variable == accumulator || inside.Contains(variable) || _bindings.Any(b => b.Variable == variable);
    }
}

/// <summary>The rows of a group under new variables, given to those that are asked for.</summary>
internal sealed class GroupRowsBuilder(PlanNumbers numbers, GroupBuilder group, Aggregate known)
{
    private readonly HashSet<int> _visible = [.. known.Input.Visible()];
    private readonly HashSet<int> _groupsBelow = [.. known.Input.VisibleGroups()];
    private readonly Dictionary<int, (int Variable, string Name)> _variables = [];

    public GroupRows Completed() => new(group.Number, _variables.Select(v => new GroupVariable(v.Key, v.Value.Variable)).ToEquatableArray());

    /// <summary>An expression over the input of the grouping, over the rows of the group instead.</summary>
    public ScalarExpression Map(ScalarExpression expression) => expression.Replace(part => part switch
    {
        RowVariable row when _visible.Contains(row.Variable) => row with { Variable = Named(row.Variable, row.Name).Variable, Name = Named(row.Variable, row.Name).Name },
        ValueVariable value when _visible.Contains(value.Variable) => value with { Variable = Named(value.Variable, value.Name).Variable, Name = Named(value.Variable, value.Name).Name },
        KeyRead or AggregateRead or Subquery when ReadsGroupBelow(part) => Kept(part),
        _ => null,
    });

    private bool ReadsGroupBelow(ScalarExpression part) => part switch
    {
        KeyRead key => _groupsBelow.Contains(key.Group),
        AggregateRead read => _groupsBelow.Contains(read.Group),
        Subquery query => query.Root.SelfAndAll().OfType<GroupRows>().Any(rows => _groupsBelow.Contains(rows.Group)),
        _ => false,
    };

    private ValueVariable Kept(ScalarExpression part)
    {
        (int variable, string name) = Named(group.Bind(part), "kept");
        return new ValueVariable(part.Type, variable, name);
    }

    private (int Variable, string Name) Named(int source, string name)
    {
        if (!_variables.TryGetValue(source, out (int Variable, string Name) known))
        {
            known = (numbers.Variable(), numbers.Name(name));
            _variables.Add(source, known);
        }

        return known;
    }
}

/// <summary>An <see cref="Aggregate"/> whose list of aggregates is not complete yet. Never in a finished plan.</summary>
internal sealed record PendingAggregate(GroupBuilder Group) : LogicalOperator;

/// <summary>A <see cref="GroupRows"/> whose list of variables is not complete yet. Never in a finished plan.</summary>
internal sealed record PendingGroupRows(GroupRowsBuilder Rows) : LogicalOperator;
