using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Translation;

namespace Smc.QueryCompiler.Generator;

/// <summary>Calls: LINQ, members of rows and local functions, which are inlined, and everything else passed through.</summary>
internal sealed partial class OperationFrontEnd
{
    private QueryNode ReadInvocation(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        if (IsLinq(method) || IsMembership(call))
            return ReadLinq(call);
        if (IsRecorded(method.ContainingType.OriginalDefinition) && method.Name.StartsWith("With", StringComparison.Ordinal) && call.Instance is { } configured)
            return Read(configured); // Options of the run; the elements are the same.
        if (call.Arguments.FirstOrDefault(a => a.Parameter is { RefKind: RefKind.Out }) is { } result)
            return ReadOutCall(call, result);
        RejectReferences(method, call.Syntax);
        List<QueryNode> arguments = [.. OrderedArguments(call.Arguments, call.Syntax).Select(Read)];
        if (method.MethodKind == MethodKind.DelegateInvoke)
            return TryInvoke(call, arguments) ?? throw Rejected("a call of a delegate", call.Syntax);
        return ReadCall(method, call.Instance, arguments, call.Syntax);
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
            ? SpanSource(call.Arguments[0].Value) is not null
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
                arguments.Add(new LinqArgument(arguments.Count switch { 0 => "source", 1 => "value", _ => name }, Read(arguments.Count == 0 ? SpanSource(argument.Value)! : argument.Value)));
            else if (argument.ArgumentKind != ArgumentKind.DefaultValue)
                arguments.Add(new LinqArgument(name, ReadLinqArgument(argument.Value)));
        }

        TypesOf(method.TypeArguments, call.Syntax);
        return Typed(new LinqNode(TypeOf(method.ReturnType, call.Syntax), method.Name, arguments, TypesOf(method.TypeArguments, call.Syntax)), method.ReturnType, call.Syntax);
    }

    /// <summary>The rows that <c>RemoveWhere(match)</c> or <c>Update(match, …)</c> changes, as <c>Where(match).ToList()</c>.</summary>
    private QueryNode ReadRowsToChange(IInvocationOperation change, ITypeSymbol list)
    {
        INamedTypeSymbol row = InlineChain.RowTypeOf(change.TargetMethod.ContainingType)!;
        INamedTypeSymbol sequence = _compilation.GetSpecialType(SpecialType.System_Collections_Generic_IEnumerable_T).Construct(row);
        PlanType[] types = [TypeOf(row, change.Syntax)];
        QueryNode match = ReadLinqArgument(InlineChain.ArgumentsOf(change).First().Value);
        LinqNode matching = new(TypeOf(sequence, change.Syntax), "Where", [new LinqArgument("source", Read(InlineChain.SourceOf(change))), new LinqArgument("predicate", match)], types);
        QueryNode rows = Typed(matching, sequence, change.Syntax);
        return Typed(new LinqNode(TypeOf(list, change.Syntax), "ToList", [new LinqArgument("source", rows)], types), list, change.Syntax);
    }

    /// <summary>The elements that a query on which <c>Explain()</c> is called would return from <c>ToList()</c>.</summary>
    private QueryNode ReadElements(IInvocationOperation explanation, ITypeSymbol list)
    {
        QueryNode source = Read(InlineChain.SourceOf(explanation));
        return Typed(new LinqNode(TypeOf(list, explanation.Syntax), "ToList", [new LinqArgument("source", source)], [TypeOf(((INamedTypeSymbol)list).TypeArguments[0], explanation.Syntax)]), list, explanation.Syntax);
    }

    private QueryNode ReadLinqArgument(IOperation value)
    {
        if (LambdaOf(value) is { } function)
            return ReadLambda(function, value.Syntax);
        return Read(value);
    }

    private RangeNode ReadRange(IRangeOperation range)
    {
        if (range.IsLifted)
            throw Rejected("a range of indices that may be null", range.Syntax);
        QueryNode start = range.LeftOperand is { } left ? Read(left) : Index(isFromEnd: false), end = range.RightOperand is { } right ? Read(right) : Index(isFromEnd: true);
        return new RangeNode(TypeOf(range), start, end) { Where = range.Syntax };

        IndexNode Index(bool isFromEnd) => new(new Plan.PlanType(Plan.TypeKind.Struct, "global::System.Index"), new LiteralNode(Plan.PlanType.Int32, "0"), isFromEnd) { Where = range.Syntax };
    }

    /// <summary>An index that is written in place: <c>^n</c>, or an <c>int</c> where an index is wanted.</summary>
    private IndexNode? IndexOf(IOperation operation) => IsOfSystem(operation.Type, "Index")
        ? operation switch
        {
            IUnaryOperation { OperatorKind: UnaryOperatorKind.Hat } hat => new IndexNode(TypeOf(hat), Read(hat.Operand), IsFromEnd: true) { Where = hat.Syntax },
            IConversionOperation { Operand: { Type.SpecialType: SpecialType.System_Int32 } value } => new IndexNode(TypeOf(operation), Read(value), IsFromEnd: false) { Where = operation.Syntax },
            _ => null,
        }
        : null;

    private static bool IsOfSystem(ITypeSymbol? type, string name) => type?.Name == name && type.ContainingNamespace is { Name: "System", ContainingNamespace.IsGlobalNamespace: true };

    /// <summary><c>TryParse(text, out int number)</c>: the call gives a tuple of its result and of what it puts into the variable, which stands for that part of it wherever it is read.</summary>
    private QueryNode ReadOutCall(IInvocationOperation call, IArgumentOperation result)
    {
        IMethodSymbol method = call.TargetMethod;
        RejectReferences(method, call.Syntax, except: result.Parameter);
        IArgumentOperation[] others = [.. call.Arguments.Where(a => a != result)];
        if (others.Any(a => a.ArgumentKind is ArgumentKind.ParamArray or ArgumentKind.ParamCollection))
            throw Rejected($"{Display(method)}: 'params' beside an 'out' parameter", call.Syntax);
        ITypeSymbol type = result.Parameter!.Type;
        Plan.PlanType outType = TypeOf(type, call.Syntax), returned = TypeOf(method.ReturnType, call.Syntax);
        if (outType.IsReferenceType)
            outType = outType.AsNullable();
        CallNode plain = PassOn(method, method.IsStatic || call.Instance is null ? null : Read(call.Instance), [.. OrderedArguments(others, call.Syntax).Select(Read)], call.Syntax);
        CallNode both = plain with
        {
            Type = new Plan.PlanType(Plan.TypeKind.Tuple, $"({returned.Text}, {outType.Text})"),
            ElementType = null,
            Out = outType,
            OutAt = others.Count(a => a.Parameter!.Ordinal < result.Parameter.Ordinal),
        };
        if (result.Value is IDeclarationExpressionOperation { Expression: ILocalReferenceOperation { Local: { } local } })
        {
            RequireNoEffects(both, $"what {Display(method)} gives back as '{local.Name}'", result.Syntax);
            _bindings[local] = Typed(new MemberNode(outType, both, "Item2"), type, result.Syntax);
        }
        else if (result.Value is not (IDiscardOperation or IDeclarationExpressionOperation { Expression: IDiscardOperation }))
        {
            throw Rejected($"a variable that {Display(method)} assigns: declare it in the call, 'out var'", result.Syntax);
        }

        return Typed(new MemberNode(returned, both, "Item1"), method.ReturnType, call.Syntax);
    }

    private static void RejectReferences(IMethodSymbol method, SyntaxNode where, IParameterSymbol? except = null)
    {
        if (method.ReturnsByRef || method.ReturnsByRefReadonly || method.ReturnsVoid || method.Parameters.Any(p => p.RefKind is RefKind.Out or RefKind.Ref && !SymbolEqualityComparer.Default.Equals(p, except)))
            throw Rejected($"{Display(method)}: results or parameters by reference", where);
    }

    /// <summary>The method's body where it can be read, else a call.</summary>
    private QueryNode ReadCall(IMethodSymbol method, IOperation? instance, IReadOnlyList<QueryNode> arguments, SyntaxNode where)
    {
        QueryNode? target = method.IsStatic || method.MethodKind == MethodKind.LocalFunction || instance is null ? null : Read(instance);
        if (TryInline(method, target, arguments) is { } body)
            return body;
        return PassOn(method, target, arguments, where);
    }

    /// <summary>A call of the method as it is.</summary>
    private CallNode PassOn(IMethodSymbol method, QueryNode? target, IReadOnlyList<QueryNode> arguments, SyntaxNode where)
    {
        if (method.MethodKind == MethodKind.LocalFunction)
            throw Rejected($"the local function {method.Name}: make it a method", where);
        MemberAccess? access = AccessTo(method, where);
        return Typed(new CallNode(TypeOf(method.ReturnType, where), QualifiedName(method) + Arguments(method.TypeArguments, where), target, arguments) { Access = access }, method.ReturnType, where);
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

    private static bool IsListOrSet(ITypeSymbol? type) => type?.OriginalDefinition.ToDisplayString() is "System.Collections.Generic.List<T>" or "System.Collections.Generic.HashSet<T>";

    /// <summary>The elements of an array or collection written in place, else null.</summary>
    private static IReadOnlyList<IOperation>? WrittenElements(IOperation operation) => operation switch
    {
        IConversionOperation conversion => WrittenElements(conversion.Operand),
        IArrayCreationOperation { Initializer: { } initializer } => initializer.ElementValues,
        IArrayCreationOperation { DimensionSizes: { Length: 1 } sizes } when sizes[0].ConstantValue.Value is 0 => [],
        IObjectCreationOperation { Arguments.Length: 0, Initializer.Initializers: { Length: > 0 } added } when IsListOrSet(operation.Type) && added.All(a => a is IInvocationOperation { TargetMethod.Name: "Add", Arguments.Length: 1 }) =>
            [.. added.Select(a => ((IInvocationOperation)a).Arguments[0].Value)],
        ICollectionExpressionOperation collection when !collection.Elements.Any(e => e is ISpreadOperation) => collection.Elements,
        _ => null,
    };
}
