using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>
/// An expression of C#. Operands have their converted types: every implicit conversion is a <see cref="ConvertNode"/>.
/// Reference types carry no nullable annotation, except as the types of columns.
/// </summary>
/// <param name="Type">The type of its value; for an anonymous type, and types made of one, without text.</param>
public abstract record QueryNode(PlanType Type)
{
    /// <summary>T when the type is <c>IEnumerable&lt;T&gt;</c>, an array, or implements <c>IEnumerable&lt;T&gt;</c> once; else null.</summary>
    public PlanType? ElementType { get; init; }

    /// <summary>Where it stands in the source; comes back in <see cref="QueryNotTranslatableException.Where"/>.</summary>
    public object? Where { get; init; }
}

/// <summary>A constant as C# text, as in <see cref="Constant"/>; <c>null</c> is the text <c>null</c>.</summary>
public sealed record LiteralNode(PlanType Type, string Text) : QueryNode(Type);

/// <summary>A parameter of the query.</summary>
public sealed record QueryParameterNode(PlanType Type, int Index) : QueryNode(Type);

/// <summary>A parameter of a lambda, by identity. Locals and pattern variables have no node: front ends put in their values.</summary>
public sealed class LambdaVariable(string name)
{
    public string Name => name;
}

/// <summary>The value of a lambda's parameter.</summary>
public sealed record VariableNode(PlanType Type, LambdaVariable Variable) : QueryNode(Type);

/// <summary>A lambda; a method group is a lambda that calls it. <paramref name="Type"/> is that of the body.</summary>
public sealed record LambdaNode(PlanType Type, IReadOnlyList<LambdaVariable> Parameters, QueryNode Body) : QueryNode(Type);

/// <summary>A binary operator of C#, lifted when the operands are nullable. A null literal operand has the type of the other operand.</summary>
public sealed record BinaryNode(PlanType Type, BinaryOperator Operator, QueryNode Left, QueryNode Right, bool IsChecked = false) : QueryNode(Type);

/// <summary>A unary operator of C#.</summary>
public sealed record UnaryNode(PlanType Type, UnaryOperator Operator, QueryNode Operand, bool IsChecked = false) : QueryNode(Type);

/// <summary>A conversion of C#, also one that changes nothing. <paramref name="IsUserDefined"/> says that a method of one of the types makes it.</summary>
public sealed record ConvertNode(PlanType Type, QueryNode Operand, bool IsChecked = false, bool IsUserDefined = false) : QueryNode(Type);

/// <summary><c>test ? a : b</c>.</summary>
public sealed record ConditionalNode(PlanType Type, QueryNode Test, QueryNode IfTrue, QueryNode IfFalse) : QueryNode(Type);

/// <summary><c>a ?? b</c>.</summary>
public sealed record CoalesceNode(PlanType Type, QueryNode Left, QueryNode Right) : QueryNode(Type);

/// <summary>Whether a value of a reference type or a <c>Nullable&lt;T&gt;</c> is not null: <c>is not null</c>, <c>?.</c>, patterns. Always a <c>bool</c>.</summary>
public sealed record NotNullNode(QueryNode Operand) : QueryNode(PlanType.Boolean);

/// <summary>A stored property of a tabular row. <paramref name="Type"/> is the column's, annotations included.</summary>
public sealed record ColumnNode(PlanType Type, QueryNode Row, string Column) : QueryNode(Type);

/// <summary>
/// Another property or field: of a value (<c>date.Year</c>), of an object that the query makes (<c>x.Total</c>; tuple elements are <c>Item1</c>…), of a group (<c>Key</c>),
/// of a list (<c>Count</c>, <c>Length</c>). Static when there is no instance; then <paramref name="Member"/> is fully qualified with <c>global::</c>.
/// </summary>
public sealed record MemberNode(PlanType Type, QueryNode? Instance, string Member) : QueryNode(Type)
{
    /// <summary>As <see cref="MemberRead.Access"/>.</summary>
    public MemberAccess? Access { get; init; }
}

/// <summary>A call of any method but those of LINQ. <paramref name="Method"/> is fully qualified with <c>global::</c> and type arguments; <c>params</c> are spread out.</summary>
public sealed record CallNode(PlanType Type, string Method, QueryNode? Instance, IReadOnlyList<QueryNode> Arguments) : QueryNode(Type)
{
    /// <summary>As <see cref="Call.Out"/>.</summary>
    public PlanType? Out { get; init; }

    /// <summary>As <see cref="Call.OutAt"/>.</summary>
    public int OutAt { get; init; }

    /// <summary>As <see cref="Call.Access"/>.</summary>
    public MemberAccess? Access { get; init; }
}

/// <summary><c>instance[arguments]</c>: an indexer or an array element.</summary>
public sealed record IndexerNode(PlanType Type, QueryNode Instance, IReadOnlyList<QueryNode> Arguments) : QueryNode(Type);

/// <summary>
/// A LINQ operator: a method of <c>System.Linq.Enumerable</c>, or the one of the same name on <c>Collection&lt;T&gt;</c> and <c>Query&lt;T&gt;</c>.
/// </summary>
/// <param name="Type">What the method returns.</param>
/// <param name="Operator">Its name: <c>Where</c>, <c>SelectMany</c>, <c>ToList</c>, …</param>
/// <param name="Arguments">Its arguments under the names of <c>Enumerable</c>'s parameters (<c>source</c>, <c>keySelector</c>, <c>first</c>, …); an instance is the first parameter. Overloads are told apart by these names and by how many parameters a lambda has.</param>
/// <param name="TypeArguments">The type arguments of the method, in order.</param>
public sealed record LinqNode(PlanType Type, string Operator, IReadOnlyList<LinqArgument> Arguments, IReadOnlyList<PlanType> TypeArguments) : QueryNode(Type);

/// <summary>An argument of a LINQ operator.</summary>
public sealed record LinqArgument(string Name, QueryNode Value);

/// <summary>
/// Something made: <c>new T(…) { … }</c>, an anonymous object (initialisers only) or a tuple (arguments only, members <c>Item1</c>…).
/// </summary>
public sealed record NewNode(PlanType Type, IReadOnlyList<NewArgument> Arguments, IReadOnlyList<NewInitializer> Initializers) : QueryNode(Type)
{
    /// <summary>Whether it is a positional record that is equal to another exactly when their arguments are.</summary>
    public bool IsRecordOfItsArguments { get; init; }
}

/// <summary>An argument of a constructor.</summary>
/// <param name="Value">Its value.</param>
/// <param name="Member">The property or field that holds the value unchanged afterwards (of positional records, tuples, <c>KeyValuePair</c>); null when that is not known.</param>
public sealed record NewArgument(QueryNode Value, string? Member);

/// <summary><c>Name = value</c> in an object initialiser.</summary>
/// <param name="Name">The member.</param>
/// <param name="Value">What is assigned.</param>
/// <param name="IsPlain">Whether reading the member gives this value: a field or an automatic property.</param>
public sealed record NewInitializer(string Name, QueryNode Value, bool IsPlain);

/// <summary><c>operand with { Name = value, … }</c>: a copy of a record, a struct or an anonymous object with other values.</summary>
public sealed record WithNode(PlanType Type, QueryNode Operand, IReadOnlyList<NewInitializer> Initializers) : QueryNode(Type);

/// <summary>An array or collection whose elements are written in place.</summary>
public sealed record ElementsNode(PlanType Type, IReadOnlyList<QueryNode> Elements) : QueryNode(Type);

/// <summary>A range written in place; an absent start is <c>0</c>, an absent end is <c>^0</c>. Both are of the type <c>System.Index</c>.</summary>
public sealed record RangeNode(PlanType Type, QueryNode Start, QueryNode End) : QueryNode(Type);

/// <summary><c>value</c> or <c>^value</c> where a <c>System.Index</c> is wanted.</summary>
public sealed record IndexNode(PlanType Type, QueryNode Value, bool IsFromEnd) : QueryNode(Type);

