using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Smc.QueryCompiler.CodeGen;

namespace Smc.QueryCompiler.Generator;

/// <summary>A value that an inline chain takes from outside.</summary>
/// <param name="Name">The name of the plan's parameter.</param>
/// <param name="Type">Its declared type.</param>
/// <param name="Read">How a stub reads it: the call of <c>CapturedValues</c> up to its last argument, or the parameter of the stub that is the value.</param>
internal sealed record ChainCapture(string Name, ITypeSymbol Type, string Read);

/// <summary>
/// What an inline chain takes from outside, found where <c>Smc.Collections.Kernels.CapturedValues</c> finds it at run time: operators are numbered in
/// the same order, variables have the same paths.
/// </summary>
internal sealed class ChainCaptures
{
    private readonly List<ChainCapture> _captures = [];
    private readonly Dictionary<IOperation, int> _indexes = [];
    private readonly Dictionary<string, int> _paths = new(StringComparer.Ordinal);
    private readonly Dictionary<string, ISymbol> _variables = new(StringComparer.Ordinal);
    private readonly List<string> _operators = [];
    private readonly List<IInvocationOperation> _calls = [], _parts = [];
    private readonly HashSet<ISymbol> _own = new(SymbolEqualityComparer.Default);
    private readonly ChainWay _way;
    private int _sources;

    private ChainCaptures(ChainWay way) => _way = way;

    /// <summary>The values, in the order of the plan's parameters.</summary>
    public IReadOnlyList<ChainCapture> Captures => _captures;

    /// <summary>The operators before the end, each with its mark and a space after it.</summary>
    public string Operators => string.Concat(_operators.Select(name => name + " "));

    /// <summary>The calls of these operators.</summary>
    public IReadOnlyList<IInvocationOperation> Calls => _calls;

    /// <summary>The calls that are chosen among others: they are marked, so that the query says whether it was put together from them.</summary>
    public IReadOnlyList<IInvocationOperation> Parts => _parts;

    /// <summary>Two variables of one name, which the captures do not distinguish; else null.</summary>
    public string? AmbiguousName { get; private set; }

    /// <summary>The captures of a chain that is put together in some way; null when it does not begin with a collection, or a part of it is not written in place.</summary>
    public static ChainCaptures? Of(IInvocationOperation end, ChainWay way)
    {
        ChainCaptures captures = new(way);
        if (!captures.TryReadSource(InlineChain.SourceOf(end)))
            return null;
        int position = 0;
        foreach (IArgumentOperation argument in InlineChain.ArgumentsOf(end))
        {
            string parameter = "argument" + position++;
            if (position > 1 && InlineChain.IsChange(end.TargetMethod))
                continue; // What is done to the rows is called, not compiled.
            if (InlineChain.LambdaOf(argument.Value) is { } lambda)
                captures.ReadLambda(lambda);
            else if (IsExpression(argument.Value.Type) || InlineChain.IsQuery(InlineChain.Unwrap(argument.Value).Type) || InlineChain.RowTypeOf(InlineChain.Unwrap(argument.Value)) is not null)
                return null;
            else if (!IsWritten(argument.Value) && !IsNamedComparer(argument))
                captures.Add(argument.Value, argument.Parameter!.Name, argument.Value.Type!, parameter);
        }

        return captures;
    }

    /// <summary>The position of the parameter that stands for an operation.</summary>
    public bool TryIndex(IOperation operation, out int index) => _indexes.TryGetValue(operation, out index);

    /// <summary>What the query reads in place of an operation; null where there is no choice.</summary>
    public IOperation? Choice(IOperation operation) => _way.Choice(operation);

    private bool TryReadSource(IOperation source, bool isPart = false)
    {
        if (_way.Choice(source) is { } chosen)
            return TryReadSource(chosen, isPart: true);
        source = InlineChain.Unwrap(source);
        if (source is IInvocationOperation call && InlineChain.IsOperator(call.TargetMethod))
            return TryReadOperator(call, isPart);
        if (InlineChain.RowTypeOf(source) is not { } row)
            return false;
        int number = _sources++;
        Add(source, source is ILocalReferenceOperation or IParameterReferenceOperation or IFieldReferenceOperation ? NameOf(source) : row.Name + "Rows", source.Type!, $"TryRows({number}, ");
        return true;
    }

    private bool TryReadOperator(IInvocationOperation call, bool isPart)
    {
        if (!TryReadSource(InlineChain.SourceOf(call), isPart))
            return false;
        if (InlineChain.IsOption(call.TargetMethod))
            return true;
        int number = _operators.Count;
        string? mark = isPart ? MarkOf(call) : null;
        _operators.Add(call.TargetMethod.Name + mark);
        _calls.Add(call);
        if (mark is not null)
            _parts.Add(call);
        int position = -1;
        foreach (IArgumentOperation argument in InlineChain.ArgumentsOf(call))
        {
            position++;
            IOperation value = InlineChain.Unwrap(argument.Value);
            if (InlineChain.LambdaOf(value) is { } lambda)
                ReadLambda(lambda);
            else if (IsExpression(argument.Value.Type))
                return false;
            else if (InlineChain.IsQuery(value.Type) || InlineChain.RowTypeOf(value) is not null)
            {
                if (!TryReadSource(value, isPart))
                    return false;
            }
            else if (!IsWritten(argument.Value) && !IsNamedComparer(argument))
                Add(argument.Value, argument.Parameter!.Name, argument.Parameter.Type, $"TryArgument({number}, {position}, ");
        }

        return true;
    }

    /// <summary>The mark of a call, by its place; null for a call that no interceptor can mark, as it is written in query syntax.</summary>
    public static string? MarkOf(IInvocationOperation call) => call.Syntax is InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access }
        ? $"@{access.Name.SpanStart.ToString(CultureInfo.InvariantCulture)}.{GeneratedFile.Fingerprint(call.Syntax.SyntaxTree.FilePath)}"
        : null;

    /// <summary>An expression tree that was put together elsewhere: only the program sees it.</summary>
    private static bool IsExpression(ITypeSymbol? type) => type is { Name: "Expression", ContainingNamespace.Name: "Expressions" };

    /// <summary>A constant, or an index or range of constants: part of the query.</summary>
    private static bool IsWritten(IOperation value) => value.ConstantValue.HasValue || value switch
    {
        IConversionOperation { Type.Name: "Index" or "Range" } conversion => IsWritten(conversion.Operand),
        IUnaryOperation { OperatorKind: UnaryOperatorKind.Hat } hat => IsWritten(hat.Operand),
        IRangeOperation range => (range.LeftOperand is null || IsWritten(range.LeftOperand)) && (range.RightOperand is null || IsWritten(range.RightOperand)),
        _ => false,
    };

    /// <summary><c>StringComparer.Ordinal</c> and the like: part of the query, which recorded it by its name.</summary>
    private static bool IsNamedComparer(IArgumentOperation argument) =>
        argument.Parameter is { Name: "comparer" or "keyComparer" } && InlineChain.Unwrap(argument.Value) is IPropertyReferenceOperation { Instance: null };

    private void ReadLambda(IAnonymousFunctionOperation lambda)
    {
        foreach (IParameterSymbol parameter in lambda.Symbol.Parameters)
            _own.Add(parameter);
        foreach (IOperation child in lambda.Body.ChildOperations)
            ReadInside(child);
    }

    private void ReadInside(IOperation operation)
    {
        if (operation is IAnonymousFunctionOperation lambda)
        {
            ReadLambda(lambda);
            return;
        }

        if (!operation.ConstantValue.HasValue && PathOf(operation) is { } path && path != "this")
        {
            ISymbol variable = VariableOf(operation);
            if (!_paths.TryGetValue(path, out int index))
            {
                _variables.Add(path, variable);
                index = Add(operation, NameOf(operation), operation.Type!, $"TryVariable(\"{path}\", ");
                _paths.Add(path, index);
            }

            if (!SymbolEqualityComparer.Default.Equals(_variables[path], variable))
                AmbiguousName ??= variable.Name;
            _indexes[operation] = index;
            return;
        }

        foreach (IOperation child in operation.ChildOperations)
            ReadInside(child);
    }

    /// <summary>A variable, and the fields of what it holds; of an anonymous object its properties.</summary>
    private string? PathOf(IOperation operation) => operation switch
    {
        ILocalReferenceOperation local => local.Local.Name,
        IParameterReferenceOperation parameter when !_own.Contains(parameter.Parameter) => parameter.Parameter.Name,
        IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance } => "this",
        IFieldReferenceOperation { Instance: { } instance } field when PathOf(instance) is { } path =>
            $"{path}.{(field.Field.CorrespondingTupleField ?? field.Field).Name}",
        IPropertyReferenceOperation { Instance: { } instance, Property: { ContainingType.IsAnonymousType: true } property } when PathOf(instance) is { } path => $"{path}.{property.Name}",
        _ => null,
    };

    /// <summary>The variable or the field of <c>this</c> that a path begins with.</summary>
    private static ISymbol VariableOf(IOperation path) => path switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        IMemberReferenceOperation { Instance: { } instance and not IInstanceReferenceOperation } => VariableOf(instance),
        _ => ((IMemberReferenceOperation)path).Member,
    };

    private static string NameOf(IOperation operation) => operation switch
    {
        ILocalReferenceOperation local => local.Local.Name,
        IParameterReferenceOperation parameter => parameter.Parameter.Name,
        IFieldReferenceOperation field => field.Field.Name,
        IPropertyReferenceOperation property => property.Property.Name,
        _ => "value",
    };

    private int Add(IOperation operation, string name, ITypeSymbol type, string read)
    {
        string unique = name;
        for (int i = 2; _captures.Any(c => c.Name == unique); i++)
            unique = name + i.ToString(CultureInfo.InvariantCulture);
        _captures.Add(new ChainCapture(unique, type, read));
        _indexes[operation] = _captures.Count - 1;
        return _captures.Count - 1;
    }
}
