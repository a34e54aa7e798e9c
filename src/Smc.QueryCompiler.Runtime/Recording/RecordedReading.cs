using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.QueryCompiler.FrontEnd;

namespace Smc.QueryCompiler.Recording;

/// <summary>
/// One walk over a recorded query, at each of its runs: its shape, and the values that it captures at this moment. Captured are the collections
/// that it begins with, the arguments that are no lambdas, and what the lambdas reach through fields from outside (variables, fields of <c>this</c>).
/// </summary>
internal sealed class RecordedReading : ExpressionVisitor
{
    private readonly List<object?> _parts = [];
    private readonly List<ParameterExpression> _variables = [];
    private readonly List<Capture> _captures = [];
    private readonly List<object?> _values = [];
    private readonly Dictionary<Expression, int> _parameters = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Expression, Expression> _inlined = new(ReferenceEqualityComparer.Instance);
    private readonly List<(object Root, MemberInfo[] Members, int Index)> _paths = [];
    private readonly Dictionary<object, int> _collections = new(ReferenceEqualityComparer.Instance);

    private RecordedReading()
    {
    }

    public required RecordedCall Call { get; init; }

    public QueryShape Shape => new([.. _parts]);

    public IReadOnlyList<Capture> Captures => _captures;

    /// <summary>The captured values, in the order of <see cref="Captures"/>.</summary>
    public object?[] Values => [.. _values];

    public static RecordedReading Of(RecordedCall call)
    {
        RecordedReading reading = new() { Call = call };
        reading.VisitCall(call);
        return reading;
    }

    /// <summary>The parameter that stands for an expression of the query.</summary>
    public bool IsCaptured(Expression expression, out int index) => _parameters.TryGetValue(expression, out index);

    /// <summary>The lambda or the query that a variable of the query holds: it counts as if it were written in place.</summary>
    public Expression? Inlined(Expression expression) => _inlined.GetValueOrDefault(expression);

    /// <summary>The parameter that stands for a collection.</summary>
    public int IndexOf(IRecordedQuery collection) => _collections[collection];

    private void VisitCall(RecordedCall call)
    {
        VisitQuery(call.Source);
        if (call.Operator == nameof(Query<int>.WithOptions))
            return;
        _parts.Add(call.Operator);
        _parts.Add(call.ResultType);
        foreach (RecordedArgument argument in call.Arguments)
        {
            _parts.Add(argument.Name);
            if (argument.Value is ConstantExpression { Value: IRecordedQuery other })
                VisitQuery(other);
            else if (argument.Value is ConstantExpression constant)
                Capture(constant, argument.Name, constant.Value);
            else
                Visit(argument.Value);
        }
    }

    private void VisitQuery(IRecordedQuery query)
    {
        if (query.Call is { } call)
        {
            VisitCall(call);
            _parts.Add(".");
            return;
        }

        if (!_collections.TryGetValue(query, out int index))
        {
            index = Add(new Capture(NameOfRows(query.ElementType), query.GetType(), query.ElementType), query);
            _collections.Add(query, index);
        }

        AddReference(index);
    }

    private static string NameOfRows(Type rowType) => char.ToLowerInvariant(rowType.Name[0]) + rowType.Name[1..] + "Rows";

    public override Expression? Visit(Expression? node)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        if (node is null)
        {
            _parts.Add(null);
            return null;
        }

        if (PathOf(node) is { } path)
        {
            VisitCaptured(node, path.Root, path.Members);
            return node;
        }

        _parts.Add(node.NodeType);
        _parts.Add(node.Type);
        return base.Visit(node);
    }

    /// <summary>Fields read from a constant, and properties of anonymous objects: a captured variable, at any depth of closures.</summary>
    private static (object Root, MemberInfo[] Members)? PathOf(Expression node)
    {
        List<MemberInfo> members = [];
        Expression? at = node;
        for (; at is MemberExpression { Expression: { } from } read && (read.Member is FieldInfo || AnonymousObject.Is(from.Type)); at = from)
            members.Insert(0, read.Member);
        return at is ConstantExpression { Value: { } root } && members.Count > 0 ? (root, [.. members]) : null;
    }

    private void VisitCaptured(Expression node, object root, MemberInfo[] members)
    {
        object? value = root;
        foreach (MemberInfo member in members)
            value = CapturedValues.ValueOf(member, value ?? throw new UnreadableCaptureException(member.Name));
        switch (value)
        {
            case LambdaExpression lambda:
                _inlined[node] = lambda;
                Visit(lambda);
                break;
            case IRecordedQuery query:
                _inlined[node] = Expression.Constant(query);
                VisitQuery(query);
                break;
            default:
                foreach ((object Root, MemberInfo[] Members, int Index) known in _paths)
                {
                    if (ReferenceEquals(known.Root, root) && known.Members.AsSpan().SequenceEqual(members))
                    {
                        _parameters[node] = known.Index;
                        AddReference(known.Index);
                        return;
                    }
                }

                _paths.Add((root, members, Capture(node, members[^1].Name, value)));
                break;
        }
    }

    private int Capture(Expression node, string name, object? value)
    {
        int index = Add(new Capture(NameOf(name), node.Type, RowType: null), value);
        _parameters[node] = index;
        AddReference(index);
        return index;
    }

    /// <summary>The name that the user gave: closures wrap some of them (<c>&lt;least&gt;P</c> is parameter <c>least</c> of a primary constructor).</summary>
    private static string NameOf(string field) =>
        field.StartsWith('<') && field.IndexOf('>', StringComparison.Ordinal) is var end and > 1 ? field[1..end] : field;

    private int Add(Capture capture, object? value)
    {
        string name = capture.Name;
        for (int i = 2; _captures.Any(c => c.Name == name); i++)
            name = capture.Name + i.ToString(System.Globalization.CultureInfo.InvariantCulture);
        _captures.Add(capture with { Name = name });
        _values.Add(value);
        return _captures.Count - 1;
    }

    private void AddReference(int index)
    {
        _parts.Add("@");
        _parts.Add(index);
        _parts.Add(_captures[index].Type);
    }

    protected override Expression VisitConstant(ConstantExpression node)
    {
        if (LiteralText.CanWrite(node))
            AddLiteral(node.Value);
        else if (node.Value is IRecordedQuery query)
            VisitQuery(query);
        else
            Capture(node, "value", node.Value);
        return node;
    }

    /// <summary>Equal constants of another text, such as 1.0m and 1.00m, are other constants. One may stand as an <c>object</c>, so its own type counts.</summary>
    private void AddLiteral(object? value)
    {
        _parts.Add(value?.GetType());
        _parts.Add(value switch { double number => BitConverter.DoubleToInt64Bits(number), float number => BitConverter.SingleToInt32Bits(number), _ => value });
        if (value is decimal exact)
            _parts.Add(exact.Scale);
    }

    protected override Expression VisitParameter(ParameterExpression node)
    {
        _parts.Add(_variables.LastIndexOf(node));
        return node;
    }

    protected override Expression VisitLambda<T>(Expression<T> node)
    {
        _variables.AddRange(node.Parameters);
        _parts.Add(node.Parameters.Count);
        Visit(node.Body);
        _variables.RemoveRange(_variables.Count - node.Parameters.Count, node.Parameters.Count);
        return node;
    }

    protected override Expression VisitBinary(BinaryExpression node)
    {
        _parts.Add(node.Method);
        return base.VisitBinary(node);
    }

    protected override Expression VisitUnary(UnaryExpression node)
    {
        _parts.Add(node.Method);
        return base.VisitUnary(node);
    }

    protected override Expression VisitMember(MemberExpression node)
    {
        _parts.Add(node.Member);
        return base.VisitMember(node);
    }

    protected override Expression VisitMethodCall(MethodCallExpression node)
    {
        _parts.Add(node.Method);
        return base.VisitMethodCall(node);
    }

    protected override Expression VisitNew(NewExpression node)
    {
        _parts.Add(node.Constructor);
        return base.VisitNew(node);
    }

    protected override Expression VisitNewArray(NewArrayExpression node)
    {
        _parts.Add(node.Expressions.Count);
        return base.VisitNewArray(node);
    }

    protected override Expression VisitIndex(IndexExpression node)
    {
        _parts.Add(node.Indexer);
        return base.VisitIndex(node);
    }

    protected override MemberAssignment VisitMemberAssignment(MemberAssignment node)
    {
        _parts.Add(node.Member);
        return base.VisitMemberAssignment(node);
    }

    protected override ElementInit VisitElementInit(ElementInit node)
    {
        _parts.Add(node.AddMethod);
        return base.VisitElementInit(node);
    }
}

/// <summary>A captured variable is a field of null: LINQ raises when a row asks for it, and only then.</summary>
internal sealed class UnreadableCaptureException(string field) : Exception($"the field '{field}' of null is captured");
