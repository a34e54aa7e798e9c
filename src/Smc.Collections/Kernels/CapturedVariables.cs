using System.Linq.Expressions;
using System.Reflection;

namespace Smc.Collections.Kernels;

/// <summary>
/// The variables that lambdas capture: the fields, and properties of anonymous objects, that are read from constants, the longest chain of each, named as the source does. They are few, so they are
/// found one after the other.
/// </summary>
internal sealed class CapturedVariables : ExpressionVisitor
{
    private const int Few = 2;

    private Variable[] _variables = [];
    private int _count;

    /// <summary>The variable of a name; null if there is none, or if there are several.</summary>
    public MemberExpression? Find(string path)
    {
        int at = IndexOf(path);
        return at >= 0 && !_variables[at].IsAmbiguous ? _variables[at].Node : null;
    }

    protected override Expression VisitMember(MemberExpression node)
    {
        if (PathOf(node) is not { } path)
            return base.VisitMember(node);
        int at = IndexOf(path);
        if (at < 0)
            Add(path, node);
        else if (!IsSame(_variables[at].Node, node))
            _variables[at].IsAmbiguous = true;
        return node;
    }

    private int IndexOf(string path)
    {
        for (int i = 0; i < _count; i++)
        {
            if (string.Equals(_variables[i].Path, path, StringComparison.Ordinal))
                return i;
        }

        return -1;
    }

    private void Add(string path, MemberExpression node)
    {
        if (_count == _variables.Length)
            Array.Resize(ref _variables, Math.Max(Few, 2 * _count));
        _variables[_count++] = new Variable { Path = path, Node = node };
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
        return CapturedValues.TryRead(holder, out object? value) ? value : null;
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

    private struct Variable
    {
        public string Path;
        public MemberExpression Node;
        public bool IsAmbiguous;
    }
}
