using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Translation;

namespace Smc.QueryCompiler.Generator;

/// <summary>Calls: LINQ, members of rows and local functions, which are inlined, and everything else passed through.</summary>
internal sealed partial class OperationFrontEnd
{
    private const int MaximumInlining = 32;

    /// <summary>How many members are being inlined into one another.</summary>
    private int _inlined;

    private QueryNode ReadInvocation(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        if (IsLinq(method) || IsMembership(call))
            return ReadLinq(call);
        if (IsRecorded(method.ContainingType.OriginalDefinition) && method.Name.StartsWith("With", StringComparison.Ordinal) && call.Instance is { } configured)
            return Read(configured); // Options of the run; the elements are the same.
        if (call.Instance is { Type: { } type } && PlanTypeReader.IsTabular(type) && TryInline(call) is { } inlined)
            return inlined;
        if (method.MethodKind == MethodKind.LocalFunction && TryInlineLocal(call) is { } local)
            return local;
        if (method.MethodKind == MethodKind.DelegateInvoke && TryInvoke(call) is { } result)
            return result;
        RequireCallable(method, call.Syntax);
        return ReadCall(method, call.Instance, [.. OrderedArguments(call.Arguments, call.Syntax).Select(Read)], call.Syntax);
    }

    /// <summary>Operators of LINQ: of <c>Enumerable</c>, and of the same names on collections and recorded queries.</summary>
    private bool IsLinq(IMethodSymbol method)
    {
        INamedTypeSymbol? type = method.ContainingType?.OriginalDefinition;
        return SymbolEqualityComparer.Default.Equals(type, Enumerable) || (IsRecorded(type) && Enumerable?.GetMembers(method.Name).IsEmpty == false);
    }

    private static bool IsRecorded(INamedTypeSymbol? type) =>
        type is { ContainingNamespace: { Name: "Collections", ContainingNamespace: { Name: "Smc", ContainingNamespace.IsGlobalNamespace: true } } }
            and ({ Name: "Collection" or "Query" or "OrderedQuery", Arity: 1 } or { Name: "QueryAggregates", Arity: 0 });

    private INamedTypeSymbol? Enumerable => _compilation.GetTypeByMetadataName("System.Linq.Enumerable");

    /// <summary><c>list.Contains(x)</c>, and what C# 14 makes of <c>array.Contains(x)</c>.</summary>
    private static bool IsMembership(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        if (method.Name != "Contains")
            return false;
        return method.ContainingType.ToDisplayString() == "System.MemoryExtensions"
            ? method.Parameters.Length == 2 && SpanSource(call.Arguments[0].Value) is not null
            : method.ContainingType.OriginalDefinition.ToDisplayString() == "System.Collections.Generic.List<T>" && method.Parameters.Length == 1;
    }

    /// <summary>The array that was converted to a span.</summary>
    private static IOperation? SpanSource(IOperation operation) => operation switch
    {
        IConversionOperation conversion => SpanSource(conversion.Operand),
        IInvocationOperation { TargetMethod: { Name: "op_Implicit" }, Arguments.Length: 1 } conversion => SpanSource(conversion.Arguments[0].Value),
        { Type: IArrayTypeSymbol } => operation,
        _ => null,
    };

    private LinqNode ReadLinq(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        List<LinqArgument> arguments = [];
        if (!method.IsStatic)
            arguments.Add(new LinqArgument("source", Read(call.Instance!)));
        foreach (IArgumentOperation argument in call.Arguments.OrderBy(a => a.Parameter?.Ordinal ?? 0))
        {
            string name = argument.Parameter?.Name ?? "";
            if (IsMembership(call) && !IsLinq(method))
                arguments.Add(new LinqArgument(arguments.Count == 0 ? "source" : "value", Read(arguments.Count == 0 ? SpanSource(argument.Value)! : argument.Value)));
            else if (argument.ArgumentKind != ArgumentKind.DefaultValue)
                arguments.Add(new LinqArgument(name, ReadLinqArgument(argument.Value)));
        }

        TypesOf(method.TypeArguments, call.Syntax);
        return Typed(new LinqNode(TypeOf(method.ReturnType, call.Syntax), method.Name, arguments, TypesOf(method.TypeArguments, call.Syntax)), method.ReturnType, call.Syntax);
    }

    private QueryNode ReadLinqArgument(IOperation value)
    {
        if (LambdaOf(value) is { } function)
            return ReadLambda(function, value.Syntax);
        return value switch
        {
            IConversionOperation { Operand: IRangeOperation range } => ReadRange(range),
            IRangeOperation range => ReadRange(range),
            _ => IndexOf(value) ?? Read(value),
        };
    }

    private RangeNode ReadRange(IRangeOperation range)
    {
        Plan.PlanType type = TypeOf(range);
        IndexNode start = range.LeftOperand is { } left ? IndexOf(left) ?? throw Rejected("an index that is not written in place", left.Syntax) : Index("0", isFromEnd: false);
        IndexNode end = range.RightOperand is { } right ? IndexOf(right) ?? throw Rejected("an index that is not written in place", right.Syntax) : Index("0", isFromEnd: true);
        return new RangeNode(type, start, end) { Where = range.Syntax };

        IndexNode Index(string value, bool isFromEnd) => new(type, new LiteralNode(Plan.PlanType.Int32, value), isFromEnd) { Where = range.Syntax };
    }

    /// <summary>An index that is written in place: <c>^n</c>, or an <c>int</c> where an index is wanted.</summary>
    private IndexNode? IndexOf(IOperation operation)
    {
        bool isIndex = operation.Type is { Name: "Index", ContainingNamespace: { Name: "System", ContainingNamespace.IsGlobalNamespace: true } };
        return isIndex
            ? operation switch
            {
                IUnaryOperation { OperatorKind: UnaryOperatorKind.Hat } hat => new IndexNode(TypeOf(hat), Read(hat.Operand), IsFromEnd: true) { Where = hat.Syntax },
                IConversionOperation { Operand: { Type.SpecialType: SpecialType.System_Int32 } value } => new IndexNode(TypeOf(operation), Read(value), IsFromEnd: false) { Where = operation.Syntax },
                _ => null,
            }
            : null;
    }

    private void RequireCallable(IMethodSymbol method, SyntaxNode where)
    {
        if (method.MethodKind == MethodKind.LocalFunction)
            throw Rejected($"the local function {method.Name}: make it a method", where);
        if (method.MethodKind == MethodKind.DelegateInvoke)
            throw Rejected("a call of a delegate", where);
        if (method.ReturnsByRef || method.ReturnsByRefReadonly || method.ReturnsVoid || method.Parameters.Any(p => p.RefKind is RefKind.Out or RefKind.Ref))
            throw Rejected($"{Display(method)}: results or parameters by reference", where);
        RequireAccessible(method, where);
    }

    private QueryNode ReadCall(IMethodSymbol method, IOperation? instance, IReadOnlyList<QueryNode> arguments, SyntaxNode where)
    {
        string typeArguments = method.TypeArguments.Length == 0 ? "" : $"<{string.Join(", ", TypesOf(method.TypeArguments, where).Select(t => t.Text))}>";
        QueryNode? target = method.IsStatic || instance is null ? null : Read(instance);
        return Typed(new CallNode(TypeOf(method.ReturnType, where), QualifiedName(method, where) + typeArguments, target, arguments), method.ReturnType, where);
    }

    /// <summary>Arguments in the order of the parameters, <c>params</c> spread out.</summary>
    private static IEnumerable<IOperation> OrderedArguments(IEnumerable<IArgumentOperation> arguments, SyntaxNode where)
    {
        foreach (IArgumentOperation argument in arguments.OrderBy(a => a.Parameter?.Ordinal ?? 0))
        {
            if (argument.ArgumentKind is ArgumentKind.ParamArray or ArgumentKind.ParamCollection)
            {
                foreach (IOperation element in WrittenElements(argument.Value) ?? throw Rejected("a 'params' argument", where))
                    yield return element;
            }
            else
            {
                yield return argument.Value;
            }
        }
    }

    /// <summary>The elements of an array or collection written in place, else null.</summary>
    private static IReadOnlyList<IOperation>? WrittenElements(IOperation operation) => operation switch
    {
        IConversionOperation conversion => WrittenElements(conversion.Operand),
        IArrayCreationOperation { Initializer: { } initializer } => initializer.ElementValues,
        ICollectionExpressionOperation collection when !collection.Elements.Any(e => e is ISpreadOperation) => collection.Elements,
        _ => null,
    };

    /// <summary>Not in a project that this one refers to, whose sources an editor shows without being able to bind them here.</summary>
    private bool IsHere(SyntaxReference declaration) => _compilation.ContainsSyntaxTree(declaration.SyntaxTree);

    private QueryNode? TryInline(IPropertySymbol property, QueryNode row)
    {
        ArrowExpressionClauseSyntax? arrow = property.DeclaringSyntaxReferences.Where(IsHere).Select(r => r.GetSyntax(_cancellation)).OfType<PropertyDeclarationSyntax>()
            .Select(p => p.ExpressionBody ?? p.AccessorList?.Accessors.FirstOrDefault(a => a.Keyword.ValueText == "get")?.ExpressionBody)
            .FirstOrDefault(a => a is not null);
        return arrow is null || IsGenerated(property) ? null : Inline(arrow, row, [], []);
    }

    private QueryNode? TryInline(IInvocationOperation call)
    {
        ArrowExpressionClauseSyntax? arrow = call.TargetMethod.DeclaringSyntaxReferences.Where(IsHere).Select(r => r.GetSyntax(_cancellation)).OfType<MethodDeclarationSyntax>()
            .Select(m => m.ExpressionBody).FirstOrDefault(a => a is not null);
        if (arrow is null || IsGenerated(call.TargetMethod) || !IsPlain(call.TargetMethod))
            return null;
        List<QueryNode> arguments = [.. OrderedArguments(call.Arguments, call.Syntax).Select(Read)];
        return Inline(arrow, Read(call.Instance!), call.TargetMethod.Parameters, arguments);
    }

    /// <summary>A local function with an expression for a body.</summary>
    private QueryNode? TryInlineLocal(IInvocationOperation call)
    {
        ArrowExpressionClauseSyntax? arrow = call.TargetMethod.DeclaringSyntaxReferences.Select(r => r.GetSyntax(_cancellation)).OfType<LocalFunctionStatementSyntax>()
            .Select(f => f.ExpressionBody).FirstOrDefault(a => a is not null);
        return arrow is null || !IsPlain(call.TargetMethod)
            ? null
            : Inline(arrow, instance: null, call.TargetMethod.Parameters, [.. OrderedArguments(call.Arguments, call.Syntax).Select(Read)]);
    }

    private static bool IsPlain(IMethodSymbol method) => !method.IsGenericMethod && !method.IsAsync && method.Parameters.All(p => p.RefKind == RefKind.None && !p.IsParams);

    /// <summary>A lambda that a local of the query holds, called: its body with the arguments in place of its parameters.</summary>
    private QueryNode? TryInvoke(IInvocationOperation call) => call.Instance is ILocalReferenceOperation local && LambdaOf(local) is IAnonymousFunctionOperation lambda
        ? Within(lambda.Symbol.Parameters, [.. OrderedArguments(call.Arguments, call.Syntax).Select(Read)], () => ReadBody(lambda.Body))
        : null;

    /// <summary>The body of an expression-bodied member, in whatever file, with the row in place of <c>this</c>.</summary>
    private QueryNode Inline(ArrowExpressionClauseSyntax body, QueryNode? instance, IReadOnlyList<IParameterSymbol> parameters, IReadOnlyList<QueryNode> arguments)
    {
        if (_inlined >= MaximumInlining)
            throw Rejected("members that call each other without end", body);
        IOperation operation = _compilation.GetSemanticModel(body.SyntaxTree).GetOperation(body, _cancellation)
            ?? throw Rejected("a member whose body cannot be read", body);
        _inlined++;
        if (instance is not null)
            _instances.Push(instance);
        QueryNode value = Within(parameters, arguments, () => ReadBody(operation));
        if (instance is not null)
            _instances.Pop();
        _inlined--;
        return value;
    }

    /// <summary>What is read while parameters stand for arguments.</summary>
    private QueryNode Within(IReadOnlyList<IParameterSymbol> parameters, IReadOnlyList<QueryNode> arguments, Func<QueryNode> read)
    {
        List<KeyValuePair<ISymbol, QueryNode?>> shadowed = [];
        for (int i = 0; i < parameters.Count; i++)
        {
            RequireNoEffects(arguments[i], $"the argument {parameters[i].Name}", parameters[i].DeclaringSyntaxReferences[0].GetSyntax(_cancellation));
            _bindings.TryGetValue(parameters[i], out QueryNode? before);
            shadowed.Add(new(parameters[i], before));
            _bindings[parameters[i]] = arguments[i];
        }

        QueryNode value = read();
        foreach (KeyValuePair<ISymbol, QueryNode?> pair in shadowed)
        {
            if (pair.Value is null)
                _bindings.Remove(pair.Key);
            else
                _bindings[pair.Key] = pair.Value;
        }

        return value;
    }
}
