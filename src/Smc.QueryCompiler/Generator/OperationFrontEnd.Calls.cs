using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.Plan;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.Generator;

/// <summary>Calls: LINQ, membership in a written list, inlined members of rows, and everything else passed through.</summary>
internal sealed partial class OperationFrontEnd
{
    private const int MaximumInlining = 32;

    private SymbolicValue ReadInvocation(IInvocationOperation call)
    {
        if (TryReadMembership(call) is { } membership)
            return new ScalarValue(membership);
        return IsLinq(call.TargetMethod) ? ReadLinq(call) : ReadCall(call);
    }

    private SymbolicValue ReadCall(IInvocationOperation call)
    {
        if (call.Instance is { Type: { } type } && PlanTypeReader.IsTabular(type) && TryInline(call) is { } inlined)
            return inlined;
        return ReadCall(call.TargetMethod, call.Instance, OrderedArguments(call.Arguments, call.Syntax).Select(Scalar), call.Syntax);
    }

    private ScalarValue ReadCall(IMethodSymbol method, IOperation? instance, IEnumerable<ScalarExpression> arguments, SyntaxNode where)
    {
        if (method.MethodKind == MethodKind.LocalFunction)
            throw Rejected($"the local function {method.Name}: make it a method", where);
        if (method.MethodKind == MethodKind.DelegateInvoke)
            throw Rejected("a call of a delegate", where);
        if (method.ReturnsByRef || method.ReturnsByRefReadonly || method.ReturnsVoid || method.Parameters.Any(p => p.RefKind is RefKind.Out or RefKind.Ref))
            throw Rejected($"{Display(method)}: results or parameters by reference", where);
        RequireAccessible(method, where);
        RejectClock(method, where);
        PlanType type = TypeOf(method.ReturnType, where);
        string typeArguments = method.TypeArguments.Length == 0 ? "" : $"<{string.Join(", ", method.TypeArguments.Select(t => TypeOf(t, where).Text))}>";
        ScalarExpression? target = method.IsStatic || instance is null ? null : Scalar(instance);
        return new ScalarValue(new Call(type, QualifiedName(method, where) + typeArguments, target, arguments.ToEquatableArray()));
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

    /// <summary><c>new[] { a, b }.Contains(x)</c> is <c>x == a || x == b</c>.</summary>
    private ScalarExpression? TryReadMembership(IInvocationOperation call)
    {
        IMethodSymbol method = call.TargetMethod;
        bool isContains = method.Name == "Contains" && method.Parameters.Length == 2 && (IsLinq(method) || method.ContainingType.ToDisplayString() == "System.MemoryExtensions");
        if (!isContains || WrittenElements(Argument(call, 0)) is not { Count: > 0 } elements)
            return null;
        ScalarExpression value = Scalar(Argument(call, 1));
        if (value.Type.Kind is TypeKind.Double or TypeKind.Single or TypeKind.Half or TypeKind.Struct or TypeKind.Class or TypeKind.Other)
            return null;
        return elements
            .Select(Scalar)
            .Select(element => (ScalarExpression)new Binary(PlanType.Boolean, BinaryOperator.Equal, value, element))
            .Aggregate((left, right) => Or(left, right));
    }

    private SymbolicValue? TryInline(IPropertySymbol property, ScalarExpression row)
    {
        ArrowExpressionClauseSyntax? arrow = property.DeclaringSyntaxReferences.Select(r => r.GetSyntax(_cancellation)).OfType<PropertyDeclarationSyntax>()
            .Select(p => p.ExpressionBody ?? p.AccessorList?.Accessors.FirstOrDefault(a => a.Keyword.ValueText == "get")?.ExpressionBody)
            .FirstOrDefault(a => a is not null);
        return arrow is null || IsGenerated(property) ? null : Inline(arrow, row, [], []);
    }

    private SymbolicValue? TryInline(IInvocationOperation call)
    {
        ArrowExpressionClauseSyntax? arrow = call.TargetMethod.DeclaringSyntaxReferences.Select(r => r.GetSyntax(_cancellation)).OfType<MethodDeclarationSyntax>()
            .Select(m => m.ExpressionBody).FirstOrDefault(a => a is not null);
        if (arrow is null || IsGenerated(call.TargetMethod) || call.TargetMethod.IsGenericMethod || call.TargetMethod.Parameters.Any(p => p.RefKind != RefKind.None || p.IsParams))
            return null;
        List<SymbolicValue> arguments = [.. OrderedArguments(call.Arguments, call.Syntax).Select(Read)];
        return Inline(arrow, Scalar(call.Instance!), call.TargetMethod.Parameters, arguments);
    }

    /// <summary>The body of an expression-bodied member, in whatever file, with the row in place of <c>this</c>.</summary>
    private SymbolicValue Inline(ArrowExpressionClauseSyntax body, ScalarExpression row, IReadOnlyList<IParameterSymbol> parameters, IReadOnlyList<SymbolicValue> arguments)
    {
        if (_instances.Count >= MaximumInlining)
            throw Rejected("members that call each other without end", body);
        IOperation operation = _compilation.GetSemanticModel(body.SyntaxTree).GetOperation(body, _cancellation)
            ?? throw Rejected("a member whose body cannot be read", body);
        _instances.Push(new ScalarValue(row));
        SymbolicValue value = Within(parameters, arguments, () => ReadBody(operation));
        _instances.Pop();
        return value;
    }
}
