using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;

namespace Smc.Collections.Kernels;

/// <summary>
/// What a recorded query takes from outside, for the kernel of a chain that was compiled with its project: its collections, the arguments that are no
/// lambdas, and the variables that its lambdas capture, with the values of this moment. One walk over the recorded trees.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class CapturedValues
{
    private readonly QueryOptions _options;
    private readonly List<RecordedCall> _calls = [];
    private readonly List<IRecordedQuery> _sources = [];
    private readonly Dictionary<string, MemberExpression> _variables = new(StringComparer.Ordinal);
    private readonly HashSet<string> _ambiguous = new(StringComparer.Ordinal);

    private CapturedValues(QueryOptions options) => _options = options;

    /// <summary>Reads a query and the lambdas of the call that ends it.</summary>
    public static CapturedValues Of(IRecordedQuery query, params ReadOnlySpan<LambdaExpression> lambdas)
    {
        CapturedValues captured = new(query.Options);
        VariableReader reader = new(captured._variables, captured._ambiguous);
        captured.Visit(query, reader);
        foreach (LambdaExpression lambda in lambdas)
            reader.Visit(lambda.Body);
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
        foreach (RecordedCall call in _calls)
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
    public KernelOptions.Scope Use() => KernelOptions.Use(_options);

    /// <summary>A collection that the query begins with; false, too, if kernels may not scan it now.</summary>
    /// <param name="index">0 for that of the chain, then those of queries in its arguments.</param>
    /// <param name="rows">The collection.</param>
    public bool TryRows<T>(int index, [NotNullWhen(true)] out Collection<T>? rows)
        where T : unmanaged
    {
        rows = index < _sources.Count ? _sources[index] as Collection<T> : null;
        return rows is not null && CollectionAccess.CanScan(rows);
    }

    /// <summary>An argument that is no lambda and no query.</summary>
    /// <param name="call">The position of its operator.</param>
    /// <param name="argument">Its position among the arguments of the operator.</param>
    /// <param name="value">Its value.</param>
    public bool TryArgument<T>(int call, int argument, [MaybeNullWhen(false)] out T value)
    {
        value = default;
        return call < _calls.Count && argument < _calls[call].Arguments.Count
            && _calls[call].Arguments[argument].Value is ConstantExpression constant && Is(constant.Value, out value);
    }

    /// <summary>A captured variable; false, too, if lambdas of the query capture several variables of this name.</summary>
    /// <param name="path">Its name; fields of a captured object follow after points, those of <c>this</c> as in <c>this.limit</c>.</param>
    /// <param name="value">Its value now.</param>
    public bool TryVariable<T>(string path, [MaybeNullWhen(false)] out T value)
    {
        value = default;
        return _variables.TryGetValue(path, out MemberExpression? member) && !_ambiguous.Contains(path) && TryRead(member, out object? found) && Is(found, out value);
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

    private static bool TryRead(Expression expression, out object? value)
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

    private void Visit(IRecordedQuery query, VariableReader reader)
    {
        if (query.Call is not { } call)
        {
            _sources.Add(query);
            return;
        }

        Visit(call.Source, reader);
        if (call.Operator == nameof(Query<int>.WithOptions))
            return;
        _calls.Add(call);
        foreach (RecordedArgument argument in call.Arguments)
        {
            if (argument.Value is LambdaExpression lambda)
                reader.Visit(lambda.Body);
            else if (argument.Value is ConstantExpression { Value: IRecordedQuery other })
                Visit(other, reader);
        }
    }

    /// <summary>Finds the fields, and properties of anonymous objects, that are read from constants, the longest chain of each, and names them as the source does.</summary>
    private sealed class VariableReader(Dictionary<string, MemberExpression> variables, HashSet<string> ambiguous) : ExpressionVisitor
    {
        protected override Expression VisitMember(MemberExpression node)
        {
            if (PathOf(node) is not { } path)
                return base.VisitMember(node);
            if (!variables.TryAdd(path, node) && !IsSame(variables[path], node))
                ambiguous.Add(path);
            return node;
        }

        /// <summary>
        /// Whether two paths of one name read one variable. Parts of a query may capture different ones: of two scopes, or of two turns of a loop.
        /// </summary>
        private static bool IsSame(MemberExpression one, MemberExpression other)
        {
            if (one.Member.Equals(other.Member) && one.Expression is ConstantExpression { Value: var first } && other.Expression is ConstantExpression { Value: var second } && ReferenceEquals(first, second))
                return true;
            return HolderOf(one) is { } holder && ReferenceEquals(holder, HolderOf(other));
        }

        /// <summary>The object whose field the first name of a path is: a closure, or <c>this</c>.</summary>
        private static object? HolderOf(MemberExpression path)
        {
            Expression holder = path.Expression!;
            while (holder is MemberExpression inner && !IsClosure(inner.Type) && inner.Member.Name != "<>4__this")
                holder = inner.Expression!;
            return TryRead(holder, out object? value) ? value : null;
        }

        private static string? PathOf(Expression? expression) => expression switch
        {
            MemberExpression { Member: FieldInfo, Expression: ConstantExpression constant } member when !IsClosure(constant.Type) => NameOf(member.Member.Name, "this"),
            MemberExpression { Member: FieldInfo field, Expression: ConstantExpression } => NameOf(field.Name, around: null),
            MemberExpression { Member: FieldInfo field, Expression: MemberExpression inner } when PathOf(inner) is { } path =>
                NameOf(field.Name, IsClosure(inner.Type) ? null : path),
            MemberExpression { Member: PropertyInfo property, Expression: MemberExpression inner } when AnonymousObject.Is(inner.Type) && PathOf(inner) is { } path => $"{path}.{property.Name}",
            _ => null,
        };

        /// <summary>A variable is a field of a closure; <c>this</c> in a closure is <c>&lt;&gt;4__this</c>, a parameter of a primary constructor <c>&lt;name&gt;P</c>.</summary>
        private static string NameOf(string field, string? around)
        {
            if (field == "<>4__this")
                return "this";
            if (field.StartsWith('<') && field.EndsWith(">P", StringComparison.Ordinal))
                return field[1..^2];
            return around is null ? field : $"{around}.{field}";
        }

        private static bool IsClosure(Type type) => type.Name.StartsWith("<>c__DisplayClass", StringComparison.Ordinal);
    }
}
