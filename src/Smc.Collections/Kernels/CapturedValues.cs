using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.InteropServices;

namespace Smc.Collections.Kernels;

/// <summary>
/// What a recorded query takes from outside, for the kernel of a chain that was compiled with its project: its collections, the arguments that are no
/// lambdas, and the variables that its lambdas capture, with the values of this moment. One walk over the recorded trees.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CapturedValues
{
    private readonly IRecordedQuery _query;
    private readonly CapturedVariables _variables = new();

    // Each query in every execution is read, so what most have none of is not allocated.
    private List<RecordedCall>? _calls;
    private List<IRecordedQuery>? _otherSources;
    private IRecordedQuery? _source;

    private CapturedValues(IRecordedQuery query) => _query = query;

    /// <summary>Reads a query and the lambdas of the call that ends it.</summary>
    public static CapturedValues Of(IRecordedQuery query, params ReadOnlySpan<LambdaExpression> lambdas)
    {
        CapturedValues captured = new(query);
        captured.Visit(query);
        foreach (LambdaExpression lambda in lambdas)
            captured._variables.Visit(lambda.Body);
        return captured;
    }

    /// <summary>Marks the operator that a query ends with as one call of the source, so that <see cref="Has"/> distinguishes it from others of its name.</summary>
    /// <param name="query">The query that the operator has just returned; no other code has seen it.</param>
    /// <param name="part">The mark, which begins with <c>@</c>.</param>
    /// <returns>The query.</returns>
    public static TQuery Mark<TQuery>(TQuery query, string part)
        where TQuery : class, IRecordedQuery
    {
        if (query.Call is { } call)
            call.Part = part;
        return query;
    }

    /// <summary>
    /// Whether the query is the one that the kernel was compiled for: the names of its operators in order, each with its mark and a space after it; those of queries
    /// in arguments after the operator.
    /// </summary>
    public bool Has(string operators)
    {
        ReadOnlySpan<char> rest = operators;
        foreach (RecordedCall call in CollectionsMarshal.AsSpan(_calls))
        {
            if (!TrySkip(ref rest, call.Operator) || !TrySkip(ref rest, call.Part) || !TrySkip(ref rest, " "))
                return false;
        }

        return rest.IsEmpty;
    }

    private static bool TrySkip(ref ReadOnlySpan<char> text, string start)
    {
        if (!text.StartsWith(start))
            return false;
        text = text[start.Length..];
        return true;
    }

    /// <summary>What <c>Explain()</c> returns of a query that was compiled with its project.</summary>
    public static string Explain(IRecordedQuery query, string text) => QueryExplanation.OfKernel(query, text);

    /// <summary>Puts the options of the query into force.</summary>
    public KernelOptions.Scope Use() => KernelOptions.Use(_query.Options);

    /// <summary>A collection that the query begins with; false, too, if kernels may not scan it now.</summary>
    /// <param name="index">0 for that of the chain, then those of queries in its arguments.</param>
    /// <param name="rows">The collection.</param>
    public bool TryRows<T>(int index, [NotNullWhen(true)] out Collection<T>? rows)
        where T : unmanaged
    {
        rows = (index == 0 ? _source : index <= (_otherSources?.Count ?? 0) ? _otherSources![index - 1] : null) as Collection<T>;
        return rows is not null && CollectionAccess.CanScan(rows);
    }

    /// <summary>An argument that is no lambda and no query.</summary>
    /// <param name="call">The position of its operator.</param>
    /// <param name="argument">Its position among the arguments of the operator.</param>
    /// <param name="value">Its value.</param>
    public bool TryArgument<T>(int call, int argument, [MaybeNullWhen(false)] out T value)
    {
        value = default;
        ReadOnlySpan<RecordedCall> calls = CollectionsMarshal.AsSpan(_calls);
        return call < calls.Length && argument < calls[call].Arguments.Count
            && calls[call].Arguments[argument].Value is ConstantExpression constant && Is(constant.Value, out value);
    }

    /// <summary>A captured variable; false, too, if lambdas of the query capture several variables of this name.</summary>
    /// <param name="path">Its name; fields of a captured object follow after points, those of <c>this</c> as in <c>this.limit</c>.</param>
    /// <param name="value">Its value now.</param>
    public bool TryVariable<T>(string path, [MaybeNullWhen(false)] out T value)
    {
        value = default;
        return _variables.Find(path) is { } member && TryRead(member, out object? found) && Is(found, out value);
    }

    /// <summary>What a captured object has in one of its fields, or an anonymous object in one of its properties.</summary>
    public static object? ValueOf(MemberInfo member, object instance) => member is FieldInfo field ? field.GetValue(instance) : ((PropertyInfo)member).GetValue(instance);

    private static bool Is<T>(object? found, [MaybeNullWhen(false)] out T value)
    {
        if (found is T typed)
        {
            value = typed;
            return true;
        }

        value = default;
        return found is null && default(T) is null;
    }

    /// <summary>What a constant, or a chain of members of one, has now.</summary>
    internal static bool TryRead(Expression expression, out object? value)
    {
        value = null;
        if (expression is ConstantExpression constant)
        {
            value = constant.Value;
            return true;
        }

        if (expression is not MemberExpression { Member: var member, Expression: { } from } || !TryRead(from, out object? instance) || instance is null)
            return false;
        value = ValueOf(member, instance);
        return true;
    }

    private void Visit(IRecordedQuery query)
    {
        if (query.Call is not { } call)
        {
            if (_source is null)
                _source = query;
            else
                (_otherSources ??= []).Add(query);
            return;
        }

        Visit(call.Source);
        if (call.Operator == nameof(Query<int>.WithOptions))
            return;
        (_calls ??= []).Add(call);
        for (int i = 0; i < call.Arguments.Count; i++)
        {
            RecordedArgument argument = call.Arguments[i];
            if (argument.Value is LambdaExpression lambda)
                _variables.Visit(lambda.Body);
            else if (argument.Value is ConstantExpression { Value: IRecordedQuery other })
                Visit(other);
        }
    }
}
