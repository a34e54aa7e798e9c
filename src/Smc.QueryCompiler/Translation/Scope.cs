namespace Smc.QueryCompiler.Translation;

/// <summary>What the parameters of the lambdas around an expression stand for, and what is known there not to be null.</summary>
internal sealed class Scope
{
    public static readonly Scope Empty = new();

    private readonly Scope? _outer;
    private readonly LambdaVariable? _variable;
    private readonly SymbolicValue? _value;
    private readonly QueryNode? _notNull;

    private Scope()
    {
    }

    private Scope(Scope outer, LambdaVariable? variable, SymbolicValue? value, QueryNode? notNull)
    {
        _outer = outer;
        _variable = variable;
        _value = value;
        _notNull = notNull;
    }

    public Scope With(LambdaVariable variable, SymbolicValue value) => new(this, variable, value, notNull: null);

    public Scope WithNotNull(QueryNode node) => new(this, variable: null, value: null, node);

    public SymbolicValue Value(LambdaVariable variable)
    {
        for (Scope? scope = this; scope is not null; scope = scope._outer)
        {
            if (scope._variable == variable)
                return scope._value!;
        }

        throw new InvalidOperationException($"the variable {variable.Name} is read outside its lambda");
    }

    /// <summary>Whether a condition around says that the value of the node is not null.</summary>
    public bool IsNotNull(QueryNode node)
    {
        for (Scope? scope = this; scope is not null; scope = scope._outer)
        {
            if (scope._notNull is { } known && known.Equals(node))
                return true;
        }

        return false;
    }
}
