using System.Runtime.CompilerServices;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>
/// Makes the plan of a query by evaluating its tree with symbols in place of data: what LINQ means stands here, once for both front ends.
/// This part evaluates names and dispatches; the others scalars, members and objects, operators, joins, groups and results.
/// </summary>
public sealed partial class QueryTranslator
{
    private readonly QueryTree _tree;
    private readonly PlanNumbers _numbers = new();
    private Raised _raisesOtherwise;

    private QueryTranslator(QueryTree tree) => _tree = tree;

    /// <summary>The plan of a query.</summary>
    /// <exception cref="QueryNotTranslatableException">The query has no plan.</exception>
    public static QueryPlan Translate(QueryTree tree) => new QueryTranslator(tree).Translate();

    private QueryPlan Translate()
    {
        Subquery query = Complete(Evaluate(_tree.Body, Scope.Empty));
        EquatableArray<PlanParameter> parameters = _tree.Parameters
            .Select((p, i) => new PlanParameter(i, p.Name, p.Type, p.IsCollection ? p.ElementType!.CSharp : null)).ToEquatableArray();
        EquatableArray<TabularShape> shapes = _tree.Shapes.OrderBy(s => s.FullName, StringComparer.Ordinal).ToEquatableArray();
        QueryPlan plan = new(_tree.Name, parameters, shapes, PlanCompletion.InlineSingleUses(query.Root), query.Terminal, _tree.ResultType, _tree.QueryText)
        {
            Comparer = query.Comparer,
            IsOfMatches = query.IsOfMatches,
            Raises = _raisesOtherwise,
            Places = query.Root.SelfAndAll().SelectMany(node => node.Expressions()).SelectMany(e => e.SelfAndDescendants()).OfType<ColumnRead>().Select(read => read.Place).ToEquatableArray(),
        };
        return PlanValidator.FirstError(plan) is { } error
            ? throw Rejected($"its plan is malformed ({error}); please report this", _tree.Body)
            : plan;
    }

    private SymbolicValue Evaluate(QueryNode node, Scope scope)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        switch (node)
        {
            case LiteralNode literal:
                return new ScalarValue(ConstantOf(literal));
            case QueryParameterNode parameter:
                return EvaluateParameter(parameter);
            case VariableNode variable:
                return scope.Value(variable.Variable);
            case MemberNode member:
                return EvaluateMember(member, scope);
            case NewNode creation:
                return EvaluateNew(creation, scope);
            case WithNode copy:
                return EvaluateWith(copy, scope);
            case ConvertNode conversion:
                return EvaluateConversion(conversion, scope);
            case LinqNode call:
                return EvaluateLinq(call, scope);
            case CallNode call:
                return EvaluateCall(call, scope);
            case IndexerNode indexer:
                return EvaluateIndexer(indexer, scope);
            case ElementsNode elements:
                return EvaluateElements(elements, scope);
            default:
                return new ScalarValue(EvaluateScalar(node, scope));
        }
    }

    private SymbolicValue EvaluateParameter(QueryParameterNode node)
    {
        QueryParameter parameter = _tree.Parameters[node.Index];
        if (!parameter.IsCollection)
            return new ScalarValue(new ParameterRead(parameter.Type, node.Index, parameter.Name));
        return new DerivedSequence(() =>
        {
            RowVariable row = _numbers.Row(parameter.ElementType!);
            return new Pipe(new Scan(node.Index, row.Type.CSharp, row.Variable), new ScalarValue(row));
        });
    }

    /// <summary>The value of a lambda for the given arguments.</summary>
    private SymbolicValue Apply(LambdaNode lambda, Scope scope, params SymbolicValue[] arguments)
    {
        for (int i = 0; i < lambda.Parameters.Count; i++)
            scope = scope.With(lambda.Parameters[i], arguments[i]);
        return Evaluate(lambda.Body, scope);
    }

    /// <summary>The value of an expression that must be a scalar.</summary>
    private ScalarExpression Scalar(QueryNode node, Scope scope) => AsScalar(Evaluate(node, scope), node);

    private ScalarExpression AsScalar(SymbolicValue value, QueryNode node) => value switch
    {
        ScalarValue scalar => scalar.Expression,
        ObjectValue { Type.Kind: TypeKind.Anonymous } => throw Rejected("an anonymous object is used as a value", node),
        SequenceValue { Form: SequenceForm.Deferred } => throw Rejected("a sequence is used as a value", node),
        _ => Materialize(value, node),
    };

    private static QueryNotTranslatableException Rejected(string reason, QueryNode node) => new(reason, node.Where);
}
