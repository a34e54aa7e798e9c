namespace Smc.QueryCompiler.Plan;

/// <summary>An expression over one row, one group or the parameters. Operands already have their converted types: every implicit conversion of C# is a <see cref="Convert"/>.</summary>
public abstract record ScalarExpression(PlanType Type);

/// <summary>A constant, written as C# would (<c>0.05m</c>, <c>'x'</c>, <c>"text"</c>, <c>null</c>): the text keeps a decimal's scale.</summary>
public sealed record Constant(PlanType Type, string Literal) : ScalarExpression(Type);

/// <summary>The value of a scalar parameter of the query.</summary>
public sealed record ParameterRead(PlanType Type, int Index, string Name) : ScalarExpression(Type);

/// <summary>The row that a scan is at. The number alone says which; the name is what the query calls it at some place.</summary>
public sealed record RowVariable(PlanType Type, int Variable, string Name) : ScalarExpression(Type)
{
    /// <inheritdoc/>
    public bool Equals(RowVariable? other) => base.Equals(other) && Variable == other!.Variable;

    /// <inheritdoc/>
    public override int GetHashCode() => (base.GetHashCode() * 31) + Variable;
}

/// <summary>A stored property of a row. <paramref name="Row"/> is a row variable or, when navigating, another reference-valued expression.</summary>
public sealed record ColumnRead(PlanType Type, ScalarExpression Row, string Column) : ScalarExpression(Type)
{
    /// <summary>
    /// The number of the place in the query's text that reads; 0 when it is not known. A value that comes from one place is read once for a row, however often the plan uses it: other threads
    /// may write it meanwhile. Equality does not look at it, since two places read the same.
    /// </summary>
    public int Place { get; init; }

    /// <inheritdoc/>
    public bool Equals(ColumnRead? other) => base.Equals(other) && Column == other!.Column && Row.Equals(other.Row);

    /// <inheritdoc/>
    public override int GetHashCode() => ((base.GetHashCode() * 31) + StringComparer.Ordinal.GetHashCode(Column)) * 31 + Row.GetHashCode();
}

/// <summary>A value that an operator below defines: a <see cref="Binding"/>, an element of <see cref="Enumerate"/>, a position, a match.</summary>
public sealed record ValueVariable(PlanType Type, int Variable, string Name) : ScalarExpression(Type);

/// <summary>The value of a group's key (by position in <see cref="Aggregate.Keys"/>).</summary>
public sealed record KeyRead(PlanType Type, int Index, int Group = 0) : ScalarExpression(Type);

/// <summary>The value of an aggregate (by position in <see cref="Aggregate.Aggregates"/>).</summary>
public sealed record AggregateRead(PlanType Type, int Index, int Group = 0) : ScalarExpression(Type);

/// <summary>
/// The result of a query inside a query, evaluated each time the expression is. Its operators may read what is visible around it (then it is correlated).
/// <paramref name="Root"/> and <paramref name="Terminal"/> as in <see cref="QueryPlan"/>.
/// </summary>
public sealed record Subquery(PlanType Type, LogicalOperator Root, Terminal Terminal) : ScalarExpression(Type)
{
    /// <summary>The comparer that a set, dictionary or look-up gets, as the static member that it is; null for the default one.</summary>
    public string? Comparer { get; init; }

    /// <summary>Whether the elements are those that match the predicate of <c>First(predicate)</c> and its like: its exceptions then say "matching element".</summary>
    public bool IsOfMatches { get; init; }
}

/// <summary>A binary operator of C#; lifted when the operands are nullable.</summary>
public sealed record Binary(PlanType Type, BinaryOperator Operator, ScalarExpression Left, ScalarExpression Right, bool IsChecked = false)
    : ScalarExpression(Type);

/// <summary>A unary operator of C#.</summary>
public sealed record Unary(PlanType Type, UnaryOperator Operator, ScalarExpression Operand, bool IsChecked = false) : ScalarExpression(Type);

/// <summary>A conversion of C#, implicit or explicit.</summary>
public sealed record Convert(PlanType Type, ScalarExpression Operand, bool IsChecked = false) : ScalarExpression(Type);

/// <summary><c>test ? a : b</c>, and what <c>switch</c> expressions become.</summary>
public sealed record Conditional(PlanType Type, ScalarExpression Test, ScalarExpression IfTrue, ScalarExpression IfFalse) : ScalarExpression(Type);

/// <summary><c>a ?? b</c>.</summary>
public sealed record Coalesce(PlanType Type, ScalarExpression Left, ScalarExpression Right) : ScalarExpression(Type);

/// <summary>A property or field of a value that is not a column: <c>date.Year</c>, <c>text.Length</c>, <c>x.HasValue</c>, a static field (no instance; then <paramref name="Member"/> is fully qualified).</summary>
public sealed record MemberRead(PlanType Type, ScalarExpression? Instance, string Member) : ScalarExpression(Type)
{
    /// <summary>How a kernel reads a member that it cannot name; null for others.</summary>
    public MemberAccess? Access { get; init; }
}

/// <summary>A method call. <paramref name="Method"/> is fully qualified with <c>global::</c>; for an instance call its last part is the name to call on <paramref name="Instance"/>.</summary>
public sealed record Call(PlanType Type, string Method, ScalarExpression? Instance, EquatableArray<ScalarExpression> Arguments) : ScalarExpression(Type)
{
    /// <summary>The type of an <c>out</c> argument, where the method has one; the call's value is then a tuple of its result and of that argument.</summary>
    public PlanType? Out { get; init; }

    /// <summary>The position of the <c>out</c> argument among <see cref="Arguments"/>, which do not have it.</summary>
    public int OutAt { get; init; }

    /// <summary>How a kernel calls a method that it cannot name; null for others.</summary>
    public MemberAccess? Access { get; init; }
}

/// <summary>A constructor call with initialisers, a tuple literal or an anonymous object (initialisers only). Results, and scalars such as <c>new DateOnly(1995, 1, 1)</c>; intermediate objects are taken apart by the front end.</summary>
public sealed record New(PlanType Type, EquatableArray<ScalarExpression> Arguments, EquatableArray<MemberInitializer> Initializers) : ScalarExpression(Type);

/// <summary><c>operand with { Name = value, … }</c>.</summary>
public sealed record With(PlanType Type, ScalarExpression Operand, EquatableArray<MemberInitializer> Initializers) : ScalarExpression(Type);

/// <summary>A new array, list or set of values that are written one by one.</summary>
public sealed record Elements(PlanType Type, EquatableArray<ScalarExpression> Items) : ScalarExpression(Type)
{
    /// <summary>Whether it is an array.</summary>
    public bool IsArray => Type.CSharp.EndsWith("[]", StringComparison.Ordinal);
}

/// <summary><c>Name = value</c> in an object initialiser or anonymous object.</summary>
public sealed record MemberInitializer(string Name, ScalarExpression Value);

/// <summary>Binary operators of C#.</summary>
public enum BinaryOperator
{
    Add, Subtract, Multiply, Divide, Remainder, And, Or, Xor, ShiftLeft, ShiftRight, UnsignedShiftRight, AndAlso, OrElse,
    Equal, NotEqual, LessThan, LessThanOrEqual, GreaterThan, GreaterThanOrEqual,
}

/// <summary>Unary operators of C#.</summary>
public enum UnaryOperator
{
    Plus, Negate, Not, Complement,
}
