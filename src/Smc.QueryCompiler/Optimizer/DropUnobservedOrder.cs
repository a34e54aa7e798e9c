using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>Nothing is sorted where nothing can observe the order. Orders that follow each other are one: the first decides between what the second leaves equal.</summary>
internal static class DropUnobservedOrder
{
    public static QueryPlan Apply(QueryPlan plan)
    {
        PlanFacts facts = new(plan);
        return OrderObservation.Map(plan, (node, isObserved) => node switch
        {
            Order order when !isObserved && order.Keys.All(key => !facts.CanRaise(key.Value, order.Input) && Purity.IsPure(key.Value)) => order.Input,
            Reverse reverse when !isObserved => reverse.Input,
            Order { Input: Order inner } outer => new Order(inner.Input, outer.Keys.Concat(inner.Keys).ToEquatableArray()),
            _ => node,
        });
    }
}
