using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Translation;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Reads the body of a query through <c>IOperation</c> into a <see cref="QueryTree"/>: names are resolved, members of rows inlined, and what C# has beyond
/// the tree (patterns, switch expressions, <c>?.</c>, interpolated strings) lowered. Both LINQ syntaxes arrive here as the same calls.
/// This part binds names and dispatches; the others read scalars, patterns, members, objects, calls and types.
/// </summary>
internal sealed partial class OperationFrontEnd
{
    private readonly Compilation _compilation;
    private readonly ISymbol _within;
    private readonly CancellationToken _cancellation;
    private readonly ChainCaptures? _captures;
    private readonly List<QueryNode> _captured = [];
    private readonly Dictionary<ISymbol, QueryNode> _bindings = new(SymbolEqualityComparer.Default);
    private readonly Dictionary<ISymbol, IOperation> _functions = new(SymbolEqualityComparer.Default);
    private readonly List<QueryParameter> _parameters = [];
    private readonly Dictionary<string, TabularShape> _shapes = new(StringComparer.Ordinal);
    private readonly HashSet<ISymbol> _accessible = new(SymbolEqualityComparer.Default);

    private OperationFrontEnd(QuerySource source, HashSet<ISymbol> called)
    {
        _called = called;
        _compilation = source.Compilation;
        _within = source.Within;
        _cancellation = source.Cancellation;
        _captures = source.Captures;
    }

    /// <summary>The plan of a query.</summary>
    /// <exception cref="QueryRejectedException">The query cannot be compiled.</exception>
    public static QueryPlan Read(QuerySource source)
    {
        HashSet<ISymbol> called = new(SymbolEqualityComparer.Default);
        QueryRejectedException? ofQuery = null;
        while (true)
        {
            OperationFrontEnd reader = new(source, called);
            try
            {
                return reader.ReadPlan(source);
            }
            catch (QueryRejectedException refused)
            {
                // Once more, with a call in place of a body that cannot be compiled, or that uses what another generator adds.
                bool mayBindLater = !source.IsComplete && refused.Rejection.Kind == RejectionKind.DoesNotBind;
                bool isOfQuery = reader.BodyBeingRead is null;
                if (mayBindLater || !reader.CallsMore(called))
                    throw ofQuery ?? refused;
                if (isOfQuery)
                    ofQuery ??= refused;
            }
        }
    }

    private QueryPlan ReadPlan(QuerySource source)
    {
        QueryTree tree = ReadQuery(source);
        try
        {
            return QueryTranslator.Translate(tree);
        }
        catch (QueryNotTranslatableException reason)
        {
            throw Rejected(reason.Message, reason.Where as SyntaxNode ?? source.Syntax);
        }
    }

    private QueryTree ReadQuery(QuerySource source)
    {
        foreach (IParameterSymbol parameter in source.Parameters)
            BindParameter(parameter, source.Syntax);
        foreach (ChainCapture capture in source.Captures?.Captures ?? [])
            _captured.Add(AddParameter(capture.Name, capture.Type, source.Syntax));
        if (!_parameters.Any(p => p.IsCollection))
            throw Rejected(RejectionKind.NotTabular, "none of its arguments is a collection of a [Tabular] type", source.Syntax);

        PlanType resultType = ResultTypeOf(source.ResultType, source.Syntax);
        QueryNode body = source.Body switch
        {
            IInvocationOperation call when InlineChain.IsChange(call.TargetMethod) => ReadRowsToChange(call, source.ResultType),
            IInvocationOperation call when InlineChain.IsExplanation(call.TargetMethod) => ReadElements(call, source.ResultType),
            _ => ReadBody(source.Body),
        };
        // What is wrong with the query as a whole is said of the lambda, not of the return statement in it.
        QueryNode whole = source.Body is IBlockOperation ? body with { Where = body.Where ?? source.Syntax } : body;
        return new QueryTree(source.Name, _parameters, [.. _shapes.Values], whole, resultType, source.Text);
    }

    private void BindParameter(IParameterSymbol parameter, SyntaxNode where)
    {
        if (parameter.RefKind != RefKind.None)
            throw Rejected($"parameter {parameter.Name} is passed by reference", where);
        _bindings[parameter] = AddParameter(parameter.Name, parameter.Type, where);
    }

    private QueryParameterNode AddParameter(string name, ITypeSymbol declared, SyntaxNode where)
    {
        if (!PlanTypeReader.IsSpeakable(declared))
            throw Rejected($"{name} has a type without a name: pass its members", where);
        if (declared.IsRefLikeType)
            throw Rejected($"{name} is a {Display(declared)}, which no kernel can keep: pass an array or a ReadOnlyMemory", where);
        PlanType type = TypeOf(declared, where);
        INamedTypeSymbol? row = CollectionRowType(declared);
        if (row is not null)
            RequireShape(row, where);
        PlanType? element = row is not null ? TypeOf(row, where) : ElementTypeOf(declared, where);
        _parameters.Add(new QueryParameter(name, type, element, row is not null));
        return new QueryParameterNode(type, _parameters.Count - 1) { ElementType = element, Where = where };
    }

    /// <summary>The row type when a parameter may hold one of our collections; seen through a snapshot, a collection is declared as a query.</summary>
    public static INamedTypeSymbol? CollectionRowType(ITypeSymbol type) =>
        type is INamedTypeSymbol { TypeArguments.Length: 1 } named && named.TypeArguments[0] is INamedTypeSymbol row && PlanTypeReader.IsTabular(row)
        && named.OriginalDefinition.ToDisplayString() is
            "System.Collections.Generic.IEnumerable<T>" or "System.Collections.Generic.IReadOnlyCollection<T>" or "Smc.Collections.Collection<T>" or "Smc.Collections.Query<T>"
            ? row
            : null;

    private QueryNode ReadBody(IOperation body) => body is IBlockOperation block ? ReadStatements(block.Operations, block) : Read(body);

    /// <summary>Declarations, <c>return</c>, and <c>if</c> that returns, which is a condition before the statements that follow.</summary>
    private QueryNode ReadStatements(IEnumerable<IOperation> statements, IOperation body)
    {
        List<IOperation> all = [.. statements];
        for (int i = 0; i < all.Count; i++)
        {
            switch (all[i])
            {
                case IVariableDeclarationGroupOperation declaration:
                    BindLocals(declaration);
                    break;
                case ILocalFunctionOperation:
                    break;
                case IReturnOperation { ReturnedValue: { } value }:
                    return Read(value);
                case IConditionalOperation { WhenTrue: IBlockOperation or IReturnOperation } choice:
                    QueryNode test = Read(choice.Condition), whenTrue = ReadStatements(StatementsOf(choice.WhenTrue), body);
                    QueryNode otherwise = ReadStatements(choice.WhenFalse is { } branch ? StatementsOf(branch).Concat(all.Skip(i + 1)) : all.Skip(i + 1), body);
                    return new ConditionalNode(whenTrue.Type, test, whenTrue, otherwise) { ElementType = whenTrue.ElementType, Where = choice.Syntax };
                default:
                    throw Rejected("a statement that is neither a local declaration nor 'return'", all[i].Syntax);
            }
        }

        throw Rejected("it does not return a value", body.Syntax);
    }

    private static IEnumerable<IOperation> StatementsOf(IOperation statement) => statement is IBlockOperation block ? block.Operations : [statement];

    /// <summary>A local stands for its value wherever it is read.</summary>
    private void BindLocals(IVariableDeclarationGroupOperation group)
    {
        foreach (IVariableDeclaratorOperation declarator in group.Declarations.SelectMany(d => d.Declarators))
        {
            if (declarator.GetVariableInitializer() is not { } initializer || declarator.Symbol.IsRef)
                throw Rejected($"local {declarator.Symbol.Name} has no initial value or is a reference", declarator.Syntax);
            if (LambdaOf(initializer.Value) is { } function)
                _functions[declarator.Symbol] = function;
            else
                _bindings[declarator.Symbol] = ReadLocal(declarator, initializer.Value);
        }
    }

    private QueryNode ReadLocal(IVariableDeclaratorOperation declarator, IOperation value)
    {
        QueryNode node = Read(value);
        IOperation block = declarator;
        while (block is not (IBlockOperation or IMethodBodyOperation) && block.Parent is { } around)
            block = around;
        if (IsReadRepeatedly(declarator.Symbol, block))
            RequireNoEffects(node, $"the local {declarator.Symbol.Name}", declarator.Syntax);
        return node;
    }

    /// <summary>Whether a local or parameter stands in several places, or in a function that may be called several times.</summary>
    private static bool IsReadRepeatedly(ISymbol variable, IOperation block)
    {
        IOperation[] reads = [.. block.Descendants().Where(o => SymbolEqualityComparer.Default.Equals((o as ILocalReferenceOperation)?.Local ?? (ISymbol?)(o as IParameterReferenceOperation)?.Parameter, variable))];
        return reads.Length > 1 || reads.Any(r => IsInFunction(r, block));
    }

    private static bool IsInFunction(IOperation read, IOperation block)
    {
        for (IOperation? at = read; at is not null && at != block; at = at.Parent)
        {
            if (at is IAnonymousFunctionOperation or ILocalFunctionOperation)
                return true;
        }

        return false;
    }

    private QueryNode Read(IOperation operation)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        _cancellation.ThrowIfCancellationRequested();
        if (_captures is not null && _captures.TryIndex(operation, out int index))
            return _captured[index];
        if (_captures?.Choice(operation) is { } chosen)
            return Read(chosen);
        if (operation.ConstantValue is { HasValue: true, Value: var constant } && operation.Type is { } type)
            return new LiteralNode(TypeOf(type, operation.Syntax), ConstantText.Of(constant, type)) { Where = operation.Syntax };
        return operation switch
        {
            ITranslatedQueryOperation query => Read(query.Operation),
            IParenthesizedOperation parenthesized => Read(parenthesized.Operand),
            IArgumentOperation argument => Read(argument.Value),
            IRangeOperation range => ReadRange(range),
            _ when IndexOf(operation) is { } position => position,
            IConversionOperation conversion => ReadConversion(conversion),
            IParameterReferenceOperation reference => Lookup(reference.Parameter, operation),
            ILocalReferenceOperation reference => Lookup(reference.Local, operation),
            IInstanceReferenceOperation instance => ReadInstance(instance),
            IConditionalAccessInstanceOperation => _accessed.Peek(),
            IInvocationOperation call => ReadInvocation(call),
            IPropertyReferenceOperation property => ReadProperty(property),
            IFieldReferenceOperation field => ReadField(field),
            IAnonymousObjectCreationOperation creation => ReadAnonymous(creation),
            ITupleOperation tuple => ReadTuple(tuple, tuple.Type),
            IObjectCreationOperation when WrittenElements(operation) is { } added => ReadElements(operation, added),
            IObjectCreationOperation creation => ReadCreation(creation),
            IWithOperation copy => ReadCopy(copy),
            IArrayCreationOperation or ICollectionExpressionOperation when WrittenElements(operation) is { } elements => ReadElements(operation, elements),
            ICollectionExpressionOperation collection => ReadSpreads(collection),
            IInvalidOperation => throw Rejected(RejectionKind.DoesNotBind, "it has an error", operation.Syntax),
            _ => ReadScalarOperation(operation),
        };
    }

    private QueryNode Lookup(ISymbol symbol, IOperation operation) =>
        _bindings.TryGetValue(symbol, out QueryNode? node)
            ? node
            : throw Rejected(RejectionKind.Captures, symbol.Name, operation.Syntax);

    /// <summary>The lambda or method group below conversions and locals, else null.</summary>
    private IOperation? LambdaOf(IOperation operation) => operation switch
    {
        IAnonymousFunctionOperation or IMethodReferenceOperation => operation,
        IDelegateCreationOperation creation => LambdaOf(creation.Target),
        IConversionOperation conversion => LambdaOf(conversion.Operand),
        ILocalReferenceOperation local => _functions.TryGetValue(local.Local, out IOperation? function) ? function : null,
        _ => null,
    };

    private LambdaNode ReadLambda(IOperation function, SyntaxNode where)
    {
        if (function is IMethodReferenceOperation reference)
        {
            if (reference.Method.IsExtensionMethod && reference.Instance is not null)
                throw Rejected($"an extension method as a function: write x => ….{reference.Method.Name}(x)", where);
            if (reference.Method.MethodKind == MethodKind.DelegateInvoke)
                throw Rejected("a call of a delegate", where);
            RejectReferences(reference.Method, where);
            (LambdaVariable Variable, QueryNode Node)[] arguments = [.. reference.Method.Parameters.Select(p => VariableOf(p, where))];
            QueryNode call = ReadCall(reference.Method, reference.Instance, [.. arguments.Select(a => a.Node)], where);
            return new LambdaNode(call.Type, [.. arguments.Select(a => a.Variable)], call) { Where = where };
        }

        IAnonymousFunctionOperation lambda = (IAnonymousFunctionOperation)function;
        List<LambdaVariable> variables = [];
        foreach (IParameterSymbol parameter in lambda.Symbol.Parameters)
        {
            (LambdaVariable variable, QueryNode node) = VariableOf(parameter, where);
            _bindings[parameter] = node;
            variables.Add(variable);
        }

        QueryNode body = ReadBody(lambda.Body);
        return new LambdaNode(body.Type, variables, body) { Where = where };
    }

    private (LambdaVariable Variable, QueryNode Node) VariableOf(IParameterSymbol parameter, SyntaxNode where)
    {
        LambdaVariable variable = new(parameter.Name);
        return (variable, Typed(new VariableNode(TypeOf(parameter.Type, where), variable), parameter.Type, where));
    }

    private static QueryRejectedException Rejected(string reason, SyntaxNode where) => new(RejectionKind.NotSupported, reason, where);

    private static QueryRejectedException Rejected(RejectionKind kind, string reason, SyntaxNode where) => new(kind, reason, where);
}
