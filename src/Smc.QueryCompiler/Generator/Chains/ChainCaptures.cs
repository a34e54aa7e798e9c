using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

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
    private readonly List<string> _operators = [];
    private readonly HashSet<ISymbol> _own = new(SymbolEqualityComparer.Default);
    private int _sources;

    private ChainCaptures()
    {
    }

    /// <summary>The values, in the order of the plan's parameters.</summary>
    public IReadOnlyList<ChainCapture> Captures => _captures;

    /// <summary>The operators before the end, each with a space after it.</summary>
    public string Operators => string.Concat(_operators.Select(name => name + " "));

    /// <summary>The captures of a chain; null when it does not begin with a collection, or a part of it is not written in place.</summary>
    public static ChainCaptures? Of(IInvocationOperation end)
    {
        ChainCaptures captures = new();
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
            else if (InlineChain.IsQuery(InlineChain.Unwrap(argument.Value).Type) || InlineChain.RowTypeOf(InlineChain.Unwrap(argument.Value)) is not null)
                return null;
            else if (!IsWritten(argument.Value) && !IsNamedComparer(argument))
                captures.Add(argument.Value, argument.Parameter!.Name, argument.Value.Type!, parameter);
        }

        return captures;
    }

    /// <summary>The position of the parameter that stands for an operation.</summary>
    public bool TryIndex(IOperation operation, out int index) => _indexes.TryGetValue(operation, out index);

    private bool TryReadSource(IOperation source)
    {
        if (source is IInvocationOperation call && InlineChain.IsOperator(call.TargetMethod))
            return TryReadOperator(call);
        if (InlineChain.RowTypeOf(source) is not { } row)
            return false;
        int number = _sources++;
        Add(source, source is ILocalReferenceOperation or IParameterReferenceOperation or IFieldReferenceOperation ? NameOf(source) : row.Name + "Rows", source.Type!, $"TryRows({number}, ");
        return true;
    }

    private bool TryReadOperator(IInvocationOperation call)
    {
        if (!TryReadSource(InlineChain.SourceOf(call)))
            return false;
        if (InlineChain.IsOption(call.TargetMethod))
            return true;
        int number = _operators.Count;
        _operators.Add(call.TargetMethod.Name);
        int position = -1;
        foreach (IArgumentOperation argument in InlineChain.ArgumentsOf(call))
        {
            position++;
            IOperation value = InlineChain.Unwrap(argument.Value);
            if (InlineChain.LambdaOf(value) is { } lambda)
                ReadLambda(lambda);
            else if (argument.Value.Type is { Name: "Expression", ContainingNamespace.Name: "Expressions" })
                return false;
            else if (InlineChain.IsQuery(value.Type) || InlineChain.RowTypeOf(value) is not null)
            {
                if (!TryReadSource(value))
                    return false;
            }
            else if (!IsWritten(argument.Value) && !IsNamedComparer(argument))
                Add(argument.Value, argument.Parameter!.Name, argument.Parameter.Type, $"TryArgument({number}, {position}, ");
        }

        return true;
    }

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
            if (!_paths.TryGetValue(path, out int index))
            {
                index = Add(operation, NameOf(operation), operation.Type!, $"TryVariable(\"{path}\", ");
                _paths.Add(path, index);
            }

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
            unique = name + i.ToString(System.Globalization.CultureInfo.InvariantCulture);
        _captures.Add(new ChainCapture(unique, type, read));
        _indexes[operation] = _captures.Count - 1;
        return _captures.Count - 1;
    }
}
