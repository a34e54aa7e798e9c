using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>Turns what the front end built into plan operators: pending aggregates get their lists, reads their positions.</summary>
internal static class PlanFinisher
{
    public static LogicalOperator Finish(LogicalOperator node) => node switch
    {
        PendingAggregate pending => Finish(pending.Builder),
        Filter filter => new Filter(Finish(filter.Input), Finish(filter.Predicate)),
        Order order => new Order(Finish(order.Input), order.Keys.Select(k => k with { Value = Finish(k.Value) }).ToEquatableArray()),
        Limit limit => new Limit(Finish(limit.Input), Finish(limit.Count)),
        Project project => new Project(Finish(project.Input), Finish(project.Result)),
        _ => node,
    };

    private static Aggregate Finish(GroupBuilder builder) => new(
        Finish(builder.Input),
        builder.Keys.Select(Finish).ToEquatableArray(),
        builder.Aggregates.Select(Finish).ToEquatableArray(),
        builder.Number);

    private static AggregateCall Finish(AggregateCall call) => call with
    {
        Selector = call.Selector is null ? null : Finish(call.Selector),
        Predicate = call.Predicate is null ? null : Finish(call.Predicate),
    };

    private static ScalarExpression Finish(ScalarExpression expression) => expression.Replace(part => part switch
    {
        GroupKeyRead key => new KeyRead(key.Type, key.Index, key.Builder.Number),
        GroupAggregateRead read => new AggregateRead(read.Type, read.Index, read.Builder.Number),
        _ => null,
    });
}
