using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Reads the body of a query through <c>IOperation</c> into a plan. Both LINQ syntaxes arrive here as the same calls.
/// Intermediates (transparent identifiers, anonymous objects, tuples, groups) are symbolic values, substituted where they are used.
/// This part binds names and dispatches; the others read sequences, groups, scalars, patterns, members and objects.
/// </summary>
internal sealed partial class OperationFrontEnd
{
    private readonly Compilation _compilation;
    private readonly ISymbol _within;
    private readonly CancellationToken _cancellation;
    private readonly Dictionary<ISymbol, SymbolicValue> _bindings = new(SymbolEqualityComparer.Default);
    private readonly List<PlanParameter> _parameters = [];
    private readonly Dictionary<string, TabularShape> _shapes = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _rowNames = new(StringComparer.Ordinal);
    private GroupBuilder? _scalarGroup;
    private int _groups;
    private int _lambdaDepth;

    private OperationFrontEnd(QuerySource source)
    {
        _compilation = source.Compilation;
        _within = source.Within;
        _cancellation = source.Cancellation;
    }

    /// <summary>The plan of a query.</summary>
    /// <exception cref="QueryRejectedException">The query cannot be compiled.</exception>
    public static QueryPlan Read(QuerySource source) => new OperationFrontEnd(source).ReadQuery(source);

    private QueryPlan ReadQuery(QuerySource source)
    {
        foreach (IParameterSymbol parameter in source.Parameters)
            BindParameter(parameter, source.Syntax);
        if (!_parameters.Any(p => p.RowShape is not null))
            throw Rejected(RejectionKind.NotTabular, "none of its arguments is a collection of a [Tabular] type", source.Syntax);

        PlanType resultType = ResultTypeOf(source.ResultType, source.Syntax);
        (LogicalOperator root, Terminal terminal) = Complete(ReadBody(source.Body), source.Syntax);
        LogicalOperator finished = PlanFinisher.Finish(root);
        EquatableArray<TabularShape> shapes = _shapes.Values.OrderBy(s => s.FullName, StringComparer.Ordinal).ToEquatableArray();
        QueryPlan plan = new(source.Name, _parameters.ToEquatableArray(), shapes, finished, terminal, resultType, source.Text);
        return PlanValidator.FirstError(plan) is { } error
            ? throw Rejected($"its plan is malformed ({error}); please report this", source.Syntax)
            : plan;
    }

    private void BindParameter(IParameterSymbol parameter, SyntaxNode where)
    {
        int index = _parameters.Count;
        if (parameter.RefKind != RefKind.None)
            throw Rejected($"parameter {parameter.Name} is passed by reference", where);
        PlanType type = TypeOf(parameter.Type, where);
        if (CollectionRowType(parameter.Type) is { } rowType)
        {
            PlanType row = TypeOf(rowType, where);
            _parameters.Add(new PlanParameter(index, parameter.Name, type, RequireShape(rowType, where).FullName));
            RowVariable variable = new(row, index, RowName(rowType.Name));
            _bindings[parameter] = new SequenceValue(new Scan(index, row.CSharp, index), new ScalarValue(variable));
        }
        else
        {
            _parameters.Add(new PlanParameter(index, parameter.Name, type, RowShape: null));
            _bindings[parameter] = new ScalarValue(new ParameterRead(type, index, parameter.Name));
        }
    }

    /// <summary>The row type when a parameter may hold one of our collections.</summary>
    public static INamedTypeSymbol? CollectionRowType(ITypeSymbol type) =>
        type is INamedTypeSymbol { TypeArguments.Length: 1 } named && named.TypeArguments[0] is INamedTypeSymbol row && PlanTypeReader.IsTabular(row)
        && named.OriginalDefinition.ToDisplayString() is
            "System.Collections.Generic.IEnumerable<T>" or "System.Collections.Generic.IReadOnlyCollection<T>" or "Smc.Collections.Collection<T>"
            ? row
            : null;

    /// <summary>A name from the row's type, so that a plan does not depend on what lambdas call their parameters.</summary>
    private string RowName(string typeName)
    {
        string name = char.ToLowerInvariant(typeName[0]) + typeName.Substring(1);
        _rowNames.TryGetValue(name, out int count);
        _rowNames[name] = count + 1;
        return count == 0 ? name : name + (count + 1);
    }

    private SymbolicValue ReadBody(IOperation body)
    {
        if (body is not IBlockOperation block)
            return Read(body);
        foreach (IOperation statement in block.Operations)
        {
            switch (statement)
            {
                case IVariableDeclarationGroupOperation declaration:
                    BindLocals(declaration);
                    break;
                case IReturnOperation { ReturnedValue: { } value }:
                    return Read(value);
                default:
                    throw Rejected("a statement that is neither a local declaration nor 'return'", statement.Syntax);
            }
        }

        throw Rejected("it does not return a value", body.Syntax);
    }

    private void BindLocals(IVariableDeclarationGroupOperation group)
    {
        foreach (IVariableDeclaratorOperation declarator in group.Declarations.SelectMany(d => d.Declarators))
        {
            if (declarator.GetVariableInitializer() is not { } initializer || declarator.Symbol.IsRef)
                throw Rejected($"local {declarator.Symbol.Name} has no initial value or is a reference", declarator.Syntax);
            _bindings[declarator.Symbol] = Read(initializer.Value);
        }
    }

    private SymbolicValue Read(IOperation operation)
    {
        _cancellation.ThrowIfCancellationRequested();
        if (operation.ConstantValue is { HasValue: true, Value: var constant } && operation.Type is { } type)
            return new ScalarValue(new Constant(TypeOf(type, operation.Syntax), ConstantText.Of(constant, type)));
        return operation switch
        {
            ITranslatedQueryOperation query => Read(query.Operation),
            IParenthesizedOperation parenthesized => Read(parenthesized.Operand),
            IArgumentOperation argument => Read(argument.Value),
            IConversionOperation conversion => ReadConversion(conversion),
            IParameterReferenceOperation reference => Lookup(reference.Parameter, operation),
            ILocalReferenceOperation reference => Lookup(reference.Local, operation),
            IInstanceReferenceOperation instance => ReadInstance(instance),
            IConditionalAccessInstanceOperation => _accessed.Peek(),
            IInvocationOperation call => ReadInvocation(call),
            IPropertyReferenceOperation property => ReadProperty(property),
            IFieldReferenceOperation field => ReadField(field),
            IAnonymousObjectCreationOperation creation => ReadAnonymous(creation),
            ITupleOperation tuple => ReadTuple(tuple),
            IObjectCreationOperation creation => ReadCreation(creation),
            IInvalidOperation => throw Rejected(RejectionKind.DoesNotBind, "it has an error", operation.Syntax),
            _ => new ScalarValue(ReadScalarOperation(operation)),
        };
    }

    /// <summary>The value of an operation that must be a scalar.</summary>
    private ScalarExpression Scalar(IOperation operation) => AsScalar(Read(operation), operation.Syntax);

    private ScalarExpression AsScalar(SymbolicValue value, SyntaxNode where) => value switch
    {
        ScalarValue scalar => scalar.Expression,
        ObjectValue { Type.Kind: not TypeKind.Anonymous } created => Materialize(created, where),
        ObjectValue => throw Rejected("an anonymous object is used as a value", where),
        TerminalValue { Terminal: Terminal.Any } any => ReadAggregate(AggregateKind.Any, lambda: null, PlanType.Boolean, ScalarGroup(any.Sequence, where), where),
        TerminalValue terminal => throw Rejected($"the result of {terminal.Terminal} is used inside the query", where),
        _ => throw Rejected("a sequence is used as a value", where),
    };

    private SymbolicValue Lookup(ISymbol symbol, IOperation operation) =>
        _bindings.TryGetValue(symbol, out SymbolicValue? value)
            ? value
            : throw Rejected(RejectionKind.Captures, symbol.Name, operation.Syntax);

    /// <summary>The value of a lambda, or of a method group, for the given arguments.</summary>
    private SymbolicValue Apply(IOperation function, params SymbolicValue[] arguments)
    {
        IOperation target = function;
        while (target is IConversionOperation or IDelegateCreationOperation or IArgumentOperation)
            target = target is IConversionOperation conversion ? conversion.Operand : target is IArgumentOperation argument ? argument.Value : ((IDelegateCreationOperation)target).Target;
        switch (target)
        {
            case IAnonymousFunctionOperation lambda:
                return Within(lambda.Symbol.Parameters, arguments, () => ReadBody(lambda.Body));
            case IMethodReferenceOperation reference:
                return ReadCall(reference.Method, reference.Instance, arguments.Select(a => AsScalar(a, function.Syntax)), function.Syntax);
            default:
                throw Rejected("a function that is not written in place", function.Syntax);
        }
    }

    private SymbolicValue Within(IReadOnlyList<IParameterSymbol> parameters, IReadOnlyList<SymbolicValue> arguments, Func<SymbolicValue> read)
    {
        List<KeyValuePair<ISymbol, SymbolicValue?>> shadowed = [];
        for (int i = 0; i < parameters.Count; i++)
        {
            _bindings.TryGetValue(parameters[i], out SymbolicValue? before);
            shadowed.Add(new(parameters[i], before));
            _bindings[parameters[i]] = arguments[i];
        }

        _lambdaDepth++;
        SymbolicValue value = read();
        _lambdaDepth--;
        foreach (KeyValuePair<ISymbol, SymbolicValue?> pair in shadowed)
        {
            if (pair.Value is null)
                _bindings.Remove(pair.Key);
            else
                _bindings[pair.Key] = pair.Value;
        }

        return value;
    }

    private static QueryRejectedException Rejected(string reason, SyntaxNode where) => new(RejectionKind.NotSupported, reason, where);

    private static QueryRejectedException Rejected(RejectionKind kind, string reason, SyntaxNode where) => new(kind, reason, where);
}
