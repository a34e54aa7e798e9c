using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Translation;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// The bodies of the user's methods in place of calls, in whatever file of the project they are: the compiler sees the columns that they read, and a private method is no obstacle.
/// Static methods, members of rows, local functions and lambdas in locals. What cannot be read is called.
/// </summary>
internal sealed partial class OperationFrontEnd
{
    /// <summary>More would be a program that doubles with every method: <c>A() => B() + B()</c>, <c>B() => C() + C()</c>.</summary>
    private const int MaximumInlining = 200;

    /// <summary>How many operations of an argument may be computed more than once.</summary>
    private const int MaximumRepeatedOperations = 3;

    private readonly HashSet<ISymbol> _called;
    private readonly Stack<ISymbol> _inlining = new();
    private readonly HashSet<ISymbol> _inlined = new(SymbolEqualityComparer.Default);
    private int _bodies;

    /// <summary>The method or member whose body was being read when the query was refused; null for the query itself.</summary>
    private ISymbol? BodyBeingRead => _inlining.FirstOrDefault(_inlined.Contains);

    /// <summary>After a query was refused: adds to the methods that are called the one in whose body it was, or all when it was outside; false when that changes nothing.</summary>
    private bool CallsMore(HashSet<ISymbol> called)
    {
        int before = called.Count;
        called.UnionWith(BodyBeingRead is { } body ? [body] : _inlined);
        return called.Count > before;
    }

    private QueryNode? TryInline(IMethodSymbol method, QueryNode? instance, IReadOnlyList<QueryNode> arguments)
    {
        bool isLocal = method.MethodKind == MethodKind.LocalFunction;
        bool isRowMember = instance is { Type: { Kind: Plan.TypeKind.Tabular, IsNullable: false } };
        if (!(isLocal || isRowMember || method is { IsStatic: true, IsVirtual: false, IsAbstract: false }) || !CanBeInlined(method))
            return null;
        SyntaxNode? body = Declarations(method).Select(BodyOf).FirstOrDefault(b => b is not null);
        return body is null ? null : Inline(method, body, instance, method.Parameters, arguments);
    }

    private QueryNode? TryInline(IPropertySymbol property, QueryNode row)
    {
        SyntaxNode? body = Declarations(property).OfType<PropertyDeclarationSyntax>().Select(p => p.ExpressionBody ?? p.AccessorList?.Accessors.Where(a => a.Keyword.ValueText == "get").Select(BodyOf).FirstOrDefault())
            .FirstOrDefault(b => b is not null);
        return body is null || IsGenerated(property) || _called.Contains(property) ? null : Inline(property, body, row, [], []);
    }

    /// <summary>A lambda that a local of the query holds, called: its body with the arguments in place of its parameters.</summary>
    private QueryNode? TryInvoke(IInvocationOperation call, IReadOnlyList<QueryNode> arguments) => call.Instance is ILocalReferenceOperation local && LambdaOf(local) is IAnonymousFunctionOperation lambda
        ? Within(lambda.Symbol.Parameters, arguments, () => ReadBody(lambda.Body))
        : null;

    /// <summary>What is declared in this project: an editor shows the sources of others too, but they cannot be bound here.</summary>
    private IEnumerable<SyntaxNode> Declarations(ISymbol member) =>
        member.DeclaringSyntaxReferences.Where(r => _compilation.ContainsSyntaxTree(r.SyntaxTree)).Select(r => r.GetSyntax(_cancellation));

    private static SyntaxNode? BodyOf(SyntaxNode declaration) => declaration switch
    {
        BaseMethodDeclarationSyntax method => (SyntaxNode?)method.ExpressionBody ?? method.Body,
        AccessorDeclarationSyntax accessor => (SyntaxNode?)accessor.ExpressionBody ?? accessor.Body,
        LocalFunctionStatementSyntax function => (SyntaxNode?)function.ExpressionBody ?? function.Body,
        _ => null,
    };

    private bool CanBeInlined(IMethodSymbol method) => SymbolEqualityComparer.Default.Equals(method, method.OriginalDefinition) && !_called.Contains(method)
        && !method.IsGenericMethod && !method.IsAsync && method.Parameters.All(p => p.RefKind == RefKind.None && !p.IsParams)
        && (method.MethodImplementationFlags & System.Reflection.MethodImplAttributes.NoInlining) == 0 && !IsGenerated(method);

    /// <summary>The body of a member, with the row in place of <c>this</c> and the arguments in place of the parameters.</summary>
    private QueryNode Inline(ISymbol member, SyntaxNode body, QueryNode? instance, IReadOnlyList<IParameterSymbol> parameters, IReadOnlyList<QueryNode> arguments)
    {
        if (_inlining.Contains(member, SymbolEqualityComparer.Default) || ++_bodies > MaximumInlining)
            throw Rejected("members that call each other without end", body);
        _inlining.Push(member);
        if (member is not IMethodSymbol { MethodKind: MethodKind.LocalFunction })
            _inlined.Add(member);
        IOperation operation = SemanticModels.WithoutNullableAnalysis(_compilation, body.SyntaxTree).GetOperation(body, _cancellation)
            ?? throw Rejected("a member whose body cannot be read", body);
        if (member is IMethodSymbol { IsStatic: true, MethodKind: MethodKind.Ordinary })
            RequireComputedOnce(operation, parameters, arguments);
        if (instance is not null)
            _instances.Push(instance);
        QueryNode value = Within(parameters, arguments, () => ReadBody(operation));
        if (instance is not null)
            _instances.Pop();
        _inlining.Pop();
        return value;
    }

    /// <summary>
    /// A call computes its arguments once; a body computes them wherever it reads them. That is as good for a column, and for a little arithmetic still better than a call for each row.
    /// </summary>
    private static void RequireComputedOnce(IOperation body, IReadOnlyList<IParameterSymbol> parameters, IReadOnlyList<QueryNode> arguments)
    {
        for (int i = 0; i < parameters.Count; i++)
        {
            if (Operations(arguments[i]) > MaximumRepeatedOperations && IsReadRepeatedly(parameters[i], body))
                throw Rejected($"the argument {parameters[i].Name} would be computed more than once", body.Syntax);
        }
    }

    /// <summary>How many operations compute a value; more than the maximum where one of them is a call. A sequence counts as none: LINQ runs it anew too whenever it is read.</summary>
    private static int Operations(QueryNode node) => node switch
    {
        LiteralNode or QueryParameterNode or VariableNode => 0,
        ColumnNode column => Operations(column.Row),
        MemberNode member => member.Instance is null ? 0 : Operations(member.Instance),
        ConvertNode { IsUserDefined: false } conversion => Operations(conversion.Operand),
        UnaryNode unary => 1 + Operations(unary.Operand),
        BinaryNode { Type.Kind: not Plan.TypeKind.String } binary => 1 + Operations(binary.Left) + Operations(binary.Right),
        LinqNode { Type.CSharp: var type } when type.StartsWith("global::System.Collections.Generic.IEnumerable<", StringComparison.Ordinal) || type.StartsWith("global::System.Linq.I", StringComparison.Ordinal) => 0,
        _ => MaximumRepeatedOperations + 1,
    };

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
