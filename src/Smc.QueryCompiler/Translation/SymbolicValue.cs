using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>What an expression of the query stands for while it is translated. Objects and sequences exist only here: plans hold scalars and operators.</summary>
internal abstract record SymbolicValue;

/// <summary>A value that a plan can hold.</summary>
internal sealed record ScalarValue(ScalarExpression Expression) : SymbolicValue;

/// <summary>An anonymous object, a tuple or a constructed object, known by its parts.</summary>
/// <param name="Type">Its type.</param>
/// <param name="Parts">What it is made of: arguments of the constructor, then what the initialiser assigns.</param>
/// <param name="Present">When the object may be null (it stands for no element): whether it is there.</param>
internal sealed record ObjectValue(PlanType Type, IReadOnlyList<ObjectPart> Parts, ScalarExpression? Present = null) : SymbolicValue
{
    /// <summary>As <see cref="NewNode.IsRecordOfItsArguments"/>.</summary>
    public bool IsRecordOfItsArguments { get; init; }

    /// <summary>Whether the object is compared by its parts: <c>Equals</c> and keys.</summary>
    public bool IsComparedByParts => Type.Kind is TypeKind.Anonymous or TypeKind.Tuple || IsRecordOfItsArguments;

    /// <summary>The value of a member, or null when it does not follow from the construction.</summary>
    /// <param name="name">The member's name. An <c>@</c> before it, or before that of a part, makes no difference.</param>
    public SymbolicValue? Member(string name) => Parts.LastOrDefault(p => p.IsReadable && p.Member is { } member && Unescaped(member) == Unescaped(name))?.Value;

    /// <summary>A name without the <c>@</c> that it has where it is a keyword.</summary>
    public static string Unescaped(string member) => member.TrimStart('@');
}

/// <summary>A part of an object.</summary>
/// <param name="Member">The member that it goes to; null when that is not known.</param>
/// <param name="Value">Its value.</param>
/// <param name="IsArgument">Whether the constructor gets it.</param>
/// <param name="IsReadable">Whether the member gives the value back unchanged.</param>
internal sealed record ObjectPart(string? Member, SymbolicValue Value, bool IsArgument, bool IsReadable);

/// <summary>The one element that <c>First</c>, <c>Single</c>, … choose, when it is an object: its members are chosen when they are read.</summary>
internal sealed record ChosenValue(PlanType Type, Terminal Terminal, SequenceValue Source) : SymbolicValue
{
    /// <summary>As <see cref="Subquery.IsOfMatches"/>.</summary>
    public bool IsOfMatches { get; init; }
}

/// <summary>A dictionary or look-up in the making.</summary>
/// <param name="Type">Its type.</param>
/// <param name="Terminal">Which of them.</param>
/// <param name="Open">Fresh operators with keys and values.</param>
/// <param name="Comparer">The comparer of its keys, as <see cref="Subquery.Comparer"/>.</param>
internal sealed record KeyedValue(PlanType Type, Terminal Terminal, Func<KeyedPipe> Open, string? Comparer) : SymbolicValue;

/// <summary>Operators so far, and what the key and the value of an element are.</summary>
internal sealed record KeyedPipe(LogicalOperator Input, SymbolicValue Key, SymbolicValue Value);
