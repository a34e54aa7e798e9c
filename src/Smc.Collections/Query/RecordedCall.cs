using System.ComponentModel;
using System.Linq.Expressions;

namespace Smc.Collections;

/// <summary>One LINQ call as it was recorded. For query providers.</summary>
/// <param name="Operator">The name of the operator of <c>System.Linq.Enumerable</c>; <c>WithOptions</c> for a call that changes options only.</param>
/// <param name="Source">What it is called on.</param>
/// <param name="Arguments">Its further arguments, in the order of the parameters of that operator.</param>
/// <param name="ResultType">The type of its result, <see cref="IEnumerable{T}"/> for a sequence.</param>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public sealed record RecordedCall(string Operator, IRecordedQuery Source, IReadOnlyList<RecordedArgument> Arguments, Type ResultType)
{
    /// <summary>Which call of the source this is; empty for one that its project's build did not mark. Set once, before any other code sees the call.</summary>
    internal string Part { get; set; } = "";
}

/// <summary>An argument of a recorded call.</summary>
/// <param name="Name">The name of the parameter in <c>System.Linq.Enumerable</c>.</param>
/// <param name="Value">A <see cref="LambdaExpression"/>, or a <see cref="ConstantExpression"/> of the parameter's type: counts, keys, other sequences and queries.</param>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public sealed record RecordedArgument(string Name, Expression Value);

/// <summary>What a <see cref="Query{T}"/> has recorded. For query providers.</summary>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public interface IRecordedQuery
{
    /// <summary>The type of the elements.</summary>
    Type ElementType { get; }

    /// <summary>The last call; null for a collection, where a query begins.</summary>
    RecordedCall? Call { get; }

    /// <summary>What the query runs with.</summary>
    QueryOptions Options { get; }
}
