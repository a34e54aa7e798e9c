using System.Linq.Expressions;
using System.Reflection;
using Smc.Collections;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Recording;
using Smc.QueryCompiler.Translation;

namespace Smc.QueryCompiler.FrontEnd;

/// <summary>
/// Turns recorded calls and expression trees into the neutral <see cref="QueryTree"/>, as the generator's front end does from source: the translator
/// then makes the same plan of both. This part reads calls; the others read values and objects.
/// </summary>
internal sealed partial class ExpressionFrontEnd
{
    private readonly RecordedReading _reading;
    private readonly Dictionary<ParameterExpression, LambdaVariable> _variables = [];
    private readonly Dictionary<Type, TabularShape> _shapes = [];

    private ExpressionFrontEnd(RecordedReading reading) => _reading = reading;

    /// <summary>Every type that the tree names: the assemblies of these are what a kernel refers to.</summary>
    public HashSet<Type> Types { get; } = [];

    /// <exception cref="QueryNotTranslatableException">Something in the query has no counterpart in the tree.</exception>
    public static (QueryTree Tree, IReadOnlyCollection<Type> Types) Read(RecordedReading reading)
    {
        ExpressionFrontEnd frontEnd = new(reading);
        QueryNode body = frontEnd.ReadCall(reading.Call);
        QueryTree tree = new(
            "Query",
            [.. reading.Captures.Select(frontEnd.Parameter)],
            [.. frontEnd._shapes.Values.OrderBy(s => s.FullName, StringComparer.Ordinal)],
            body,
            frontEnd.TypeOf(reading.Call.ResultType),
            RecordedText.Of(reading.Call));
        return (tree, frontEnd.Types);
    }

    private QueryParameter Parameter(Capture capture)
    {
        PlanType type = TypeOf(capture.Type);
        if (type.CSharp.Length == 0)
            throw new QueryNotTranslatableException($"the type of '{capture.Name}' has no name", capture.Name);
        return new QueryParameter(capture.Name, type, ElementOf(capture.Type), IsCollection: capture.RowType is not null);
    }

    private LinqNode ReadCall(RecordedCall call)
    {
        LinqArgument source = new(LinqOperators.FirstParameter(call.Operator), ReadQuery(call.Source));
        IEnumerable<LinqArgument> further = call.Arguments.Select(a => new LinqArgument(a.Name, ReadArgument(a.Value)));
        IReadOnlyList<PlanType> typeArguments = call.Operator is nameof(Enumerable.OfType) or nameof(Enumerable.Cast) ? [ElementOf(call.ResultType)!] : [];
        return Sequence(new LinqNode(TypeOf(call.ResultType), call.Operator, [source, .. further], typeArguments), call.ResultType, call.Operator);
    }

    private QueryNode ReadArgument(Expression value) => value is ConstantExpression { Value: IRecordedQuery other } ? ReadQuery(other) : Read(value);

    private QueryNode ReadQuery(IRecordedQuery query)
    {
        if (query.Call is { Operator: nameof(Query<int>.WithOptions) } options)
            return ReadQuery(options.Source);
        if (query.Call is { } call)
            return ReadCall(call);
        RequireShape(query.ElementType);
        int index = _reading.IndexOf(query);
        Type type = _reading.Captures[index].Type;
        return Sequence(new QueryParameterNode(TypeOf(type), index), type, query);
    }

    private QueryNode ReadOperator(MethodCallExpression call)
    {
        if (LinqOperators.IsOption(call.Method))
            return Read(call.Object!);
        LinqArgument[] arguments = [.. LinqOperators.Arguments(call).Select(a => new LinqArgument(a.Name, Read(AsSequence(a.Value))))];
        return Sequence(
            new LinqNode(TypeOf(call.Type), call.Method.Name, arguments, [.. LinqOperators.TypeArguments(call.Method).Select(TypeOf)]), call.Type, call);
    }

    /// <summary>An argument without the conversion of reference that made it fit: to <c>IEnumerable&lt;T&gt;</c>, to a span.</summary>
    private static Expression AsSequence(Expression value) => value switch
    {
        UnaryExpression { NodeType: ExpressionType.Convert, Method: null, Operand: var operand } when !operand.Type.IsValueType && !value.Type.IsValueType
            && RuntimeTypes.ElementType(operand.Type) == RuntimeTypes.ElementType(value.Type) => AsSequence(operand),
        MethodCallExpression { Method: { Name: "op_Implicit", DeclaringType: { IsByRefLike: true } }, Arguments: [var array] } => AsSequence(array),
        UnaryExpression { NodeType: ExpressionType.Convert, Method.DeclaringType: { IsByRefLike: true }, Operand: var array } => AsSequence(array),
        _ => value,
    };

    private PlanType TypeOf(Type type)
    {
        Types.Add(type);
        PlanType plan = RuntimeTypes.Read(type);
        return plan;
    }

    private PlanType? ElementOf(Type type) => RuntimeTypes.ElementType(type) is { } element ? TypeOf(element) : null;

    private void RequireShape(Type rowType)
    {
        if (!_shapes.ContainsKey(rowType))
            _shapes.Add(rowType, RuntimeShapes.Read(rowType));
        Types.Add(rowType);
    }

    private TNode Sequence<TNode>(TNode node, Type type, object where)
        where TNode : QueryNode =>
        node with { ElementType = ElementOf(type), Where = where };

    private static QueryNotTranslatableException Rejected(string reason, Expression where) => new(reason, where);
}
