using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Translation;

/// <summary>A LINQ operator where it is evaluated, with its arguments by name.</summary>
internal sealed record LinqCall(LinqNode Node, Scope Scope)
{
    public string Operator => Node.Operator;

    public PlanType Type => Node.Type;

    public QueryNode Source => Node.Arguments[0].Value;

    public QueryNode? Argument(string name) => Node.Arguments.FirstOrDefault(a => a.Name == name)?.Value;

    public QueryNode Required(string name) =>
        Argument(name) ?? throw new QueryNotTranslatableException($"{Operator} without its argument {name}", Node.Where);

    public LambdaNode? Lambda(string name) => Argument(name) switch
    {
        null => null,
        LambdaNode lambda => lambda,
        { } other => throw new QueryNotTranslatableException($"the function of {Operator} is not written in place: write a lambda there", other.Where),
    };

    public LambdaNode RequiredLambda(string name) => Lambda(name) ?? throw new QueryNotTranslatableException($"{Operator} without its argument {name}", Node.Where);
}
