using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Cuts a plan where elements have to be collected: at orders and aggregates.</summary>
public static class PipelineBuilder
{
    /// <summary>The pipelines of a plan in the order in which they run.</summary>
    public static IReadOnlyList<Pipeline> Build(QueryPlan plan)
    {
        List<Pipeline> pipelines = [];
        List<PipelineStep> steps = [];
        PipelineSource? source = null;
        ScalarExpression? result = null;

        foreach (LogicalOperator node in FromTheScan(plan.Root))
        {
            switch (node)
            {
                case Scan scan:
                    source = new ScanSource(scan);
                    break;
                case Filter filter:
                    steps.Add(new FilterStep([.. Conjunctions.Split(filter.Predicate)]));
                    break;
                case Limit limit:
                    steps.Add(new LimitStep(limit.Count));
                    break;
                case Aggregate aggregate:
                    Collect(new AggregateSink(aggregate), new GroupSource(pipelines.Count));
                    break;
                case Order order:
                    Collect(new OrderSink(order.Keys, null), Ordered(source!, pipelines.Count));
                    break;
                case TopN top:
                    Collect(new OrderSink(top.Keys, top.Count), Ordered(source!, pipelines.Count));
                    break;
                case Project project:
                    result = project.Result;
                    break;
            }
        }

        Collect(new ResultSink(result), source!);
        return pipelines;

        void Collect(PipelineSink sink, PipelineSource next)
        {
            pipelines.Add(new Pipeline(pipelines.Count, source!, steps, sink));
            steps = [];
            source = next;
        }
    }

    private static OrderedSource Ordered(PipelineSource before, int pipeline) => before switch
    {
        ScanSource scan => new OrderedSource(pipeline, null, scan.Scan),
        GroupSource groups => new OrderedSource(pipeline, groups.AggregatePipeline, null),
        OrderedSource ordered => ordered with { OrderPipeline = pipeline },
        _ => throw new InvalidOperationException("unknown source " + before.GetType().Name),
    };

    private static IEnumerable<LogicalOperator> FromTheScan(LogicalOperator root)
    {
        Stack<LogicalOperator> nodes = new();
        for (LogicalOperator? node = root; node is not null; node = node.Source)
            nodes.Push(node);
        return nodes;
    }

}
