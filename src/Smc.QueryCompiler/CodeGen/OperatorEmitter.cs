using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Writes operators as loops that push elements: each operator is asked to produce its elements, and writes for each of them what its consumer wants.
/// What needs all elements first (groups, orders, tables of joins) collects them in a region and loops over that.
/// </summary>
internal sealed class OperatorEmitter(KernelScope scope)
{
    /// <summary>Writes the statements that produce the elements of a node.</summary>
    public void Produce(LogicalOperator node, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        if (scope.Analysis is { } analysis)
            consumer = analysis.Counting(node, consumer);
        if (site.IsRepeated && TryProduceKept(node, writer, site, consumer))
            return;
        switch (node)
        {
            case Scan or Filter when ScanChain.TryOf(node) is { } scan:
                new ScanEmitter(scope).Produce(scan, writer, site, consumer);
                break;
            case Filter filter:
                Produce(filter.Input, writer, site, new StepConsumer(consumer, (body, at, next) => WriteFilter(filter, body, at, next)));
                break;
            case Enumerate list:
                ProduceList(list, writer, site, consumer);
                break;
            case Unit:
                consumer.Element(writer, site);
                break;
            case GroupRows rows:
                scope.Aggregates[rows.Group].ProduceRows(rows, writer, site, consumer);
                break;
            case Compute compute:
                Produce(compute.Input, writer, site, new StepConsumer(consumer, (body, at, next) => WriteBindings(compute, body, at, next)));
                break;
            case Number number:
                ProduceNumbers(number, writer, site, consumer);
                break;
            case Limit limit:
                ProduceFirst(limit, writer, site, consumer);
                break;
            case Skip skip:
                ProduceRest(skip, writer, site, consumer);
                break;
            case While loop:
                ProduceWhile(loop, writer, site, consumer);
                break;
            case Apply apply:
                Produce(apply.Input, writer, site, new StepConsumer(consumer, (body, at, next) => WriteInner(apply, body, at, next)));
                break;
            case Concat concat:
                ProduceBoth(concat, writer, site, consumer);
                break;
            case DefaultIfEmpty outer:
                ProduceOrDefault(outer, writer, site, consumer);
                break;
            case Join join:
                new JoinEmitter(scope, join).Produce(writer, site, consumer);
                break;
            case Aggregate aggregate:
                new AggregateEmitter(scope, aggregate, site).Produce(writer, site, consumer);
                break;
            case Distinct distinct:
                new DistinctEmitter(scope, distinct, site).Produce(writer, site, consumer);
                break;
            case Order order:
                new OrderEmitter(scope, order).Produce(writer, site, consumer);
                break;
            case TopN top:
                new OrderEmitter(scope, top).Produce(writer, site, consumer);
                break;
            case Reverse reverse:
                new SpoolEmitter(scope, reverse, reverse.Input, site.Region).ProduceReversed(writer, site, consumer);
                break;
            default:
                throw new InvalidOperationException("unknown operator " + node.GetType().Name);
        }
    }

    /// <summary>Writes an operator that keeps its elements, so that they stay where they are; gives null, and writes nothing, for others.</summary>
    public KeptElements? TryCollect(LogicalOperator node, CodeWriter writer, Site site)
    {
        KeptElements? kept = node switch
        {
            Order order => new OrderEmitter(scope, order).Collect(writer, site),
            TopN top => new OrderEmitter(scope, top).Collect(writer, site),
            Aggregate { Keys.Count: > 0 } aggregate => new AggregateEmitter(scope, aggregate, site).Collect(writer, site),
            _ => null,
        };
        if (kept is not null)
            scope.Analysis?.WriteCount(node, writer, kept.Count);
        return kept;
    }

    private bool TryProduceKept(LogicalOperator node, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        OnceEmitter once = new(scope);
        ScanChain? chain = ScanChain.TryOf(node);
        if (LookUpEmitter.TryOf(node, scope, once, site) is { } lookUp)
        {
            lookUp.Produce(writer, site, consumer, chain is null ? null : body => ProduceRepeated(chain, once, body, site, consumer));
            return true;
        }

        if (chain is not null)
        {
            ProduceRepeated(chain, once, writer, site, consumer);
            return true;
        }

        if (once.TryKeep(node, writer, site) is not { } kept)
            return false;
        new LoopEmitter(scope).Write(kept, "i" + scope.Number(), writer, site, consumer);
        return true;
    }

    private void ProduceRepeated(ScanChain chain, OnceEmitter once, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        if (once.TryKeep(chain, writer, site) is { } rows)
            new LoopEmitter(scope).Write(rows.Rows, "i" + scope.Number(), writer, site, new StepConsumer(consumer, (body, at, next) => ScanEmitter.WriteRow(scope, rows.Left, body, at, next)));
        else
            new ScanEmitter(scope).Produce(chain, writer, site, consumer);
    }

    private void WriteFilter(Filter filter, CodeWriter writer, Site site, ElementConsumer next)
    {
        using (writer.Open($"if ({scope.AskedTargets.TryTest(filter.Predicate, site) ?? new ScalarEmitter(scope, site).Value(filter.Predicate)})"))
            next.Element(writer, site);
    }

    private void ProduceList(Enumerate list, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        string sequence = new ScalarEmitter(scope, site).Value(list.Sequence);
        string element = $"item{list.Variable}";
        new LoopEmitter(scope).Write(
            $"foreach ({list.ElementType.Text} {element} in {KernelApi.ResultRows}.Source({sequence}))", writer, site, consumer, _ => site.Bindings.WithValue(list.Variable, new ValuePlace(element, ValueForm.Plain)));
    }

    private void WriteBindings(Compute compute, CodeWriter writer, Site site, ElementConsumer next)
    {
        foreach (Binding binding in compute.Bindings)
            site = ValueLocals.Declare(scope, binding.Variable, binding.Name, binding.Value, writer, site, site);
        next.Element(writer, site);
    }

    private void ProduceNumbers(Number number, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        string next = scope.Field("int", "Number" + scope.Number()), local = "number" + number.Variable;
        writer.Line($"{next} = 0;");
        Produce(number.Input, writer, site, new StepConsumer(consumer, (body, at, inner) =>
        {
            body.Line($"int {local} = {next}++;");
            inner.Element(body, at.With(at.Bindings.WithValue(number.Variable, new ValuePlace(local, ValueForm.Plain))));
        }, remembers: true));
    }

    private void ProduceFirst(Limit limit, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        Exit exit = new(site.Frame, scope.Number());
        string left = scope.Field("int", "Left" + scope.Number());
        writer.Line($"{left} = {new ScalarEmitter(scope, site).Value(limit.Count)};");
        using (writer.Open($"if ({left} > 0)"))
        {
            Produce(limit.Input, writer, site, new StepConsumer(consumer, (body, at, next) =>
            {
                body.Line($"{left}--;");
                using (body.Open(""))
                    next.Element(body, at);
                using (body.Open($"if ({left} == 0)"))
                    at.Frame.Leave(body, exit, scope);
            }, remembers: true));
        }

        exit.WriteLabel(writer);
    }

    private void ProduceRest(Skip skip, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        string left = scope.Field("int", "Skipped" + scope.Number());
        writer.Line($"{left} = {new ScalarEmitter(scope, site).Value(skip.Count)};");
        Produce(skip.Input, writer, site, new StepConsumer(consumer, (body, at, next) =>
        {
            body.Line($"if ({left} > 0)").Line($"    {left}--;");
            using (body.Open("else"))
                next.Element(body, at);
        }, remembers: true));
    }

    private void ProduceWhile(While loop, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        if (loop.Takes)
        {
            Exit exit = new(site.Frame, scope.Number());
            using (writer.Open(""))
            {
                Produce(loop.Input, writer, site, new StepConsumer(consumer, (body, at, next) =>
                {
                    using (body.Open($"if (!({new ScalarEmitter(scope, at).Value(loop.Predicate)}))"))
                        at.Frame.Leave(body, exit, scope);
                    next.Element(body, at);
                }, remembers: true));
            }

            exit.WriteLabel(writer);
            return;
        }

        string passes = scope.Field("bool", "Passes" + scope.Number());
        writer.Line($"{passes} = false;");
        Produce(loop.Input, writer, site, new StepConsumer(consumer, (body, at, next) =>
        {
            using (body.Open($"if ({passes} = {passes} || !({new ScalarEmitter(scope, at).Value(loop.Predicate)}))"))
                next.Element(body, at);
        }, remembers: true));
    }

    private void WriteInner(Apply apply, CodeWriter writer, Site site, ElementConsumer next) => Produce(apply.Inner, writer, scope.Nested(apply.Inner, writer, site), next);

    private void ProduceBoth(Concat concat, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        using (writer.Open(""))
            Produce(concat.Left, writer, site, Columns(column => column.Left));
        using (writer.Open(""))
            Produce(concat.Right, writer, site, Columns(column => column.Right));

        StepConsumer Columns(Func<ConcatColumn, ScalarExpression> side) => new(consumer, (body, at, next) =>
        {
            Site above = at with { Bindings = site.Bindings, IsNested = true };
            foreach (ConcatColumn column in concat.Columns)
            {
                ScalarExpression value = side(column);
                above = ValueLocals.Declare(scope, column.Variable, column.Name, value, body, at, above);
            }

            next.Element(body, above);
        });
    }

    private void ProduceOrDefault(DefaultIfEmpty outer, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        string hasAny = scope.Field("bool", "HasAny" + scope.Number());
        writer.Line($"{hasAny} = false;");
        using (writer.Open(""))
        {
            Produce(outer.Input, writer, site, new StepConsumer(consumer, (body, at, next) =>
            {
                body.Line($"{hasAny} = true;");
                next.Element(body, at.With(at.Bindings.WithValue(outer.Match, new ValuePlace("true", ValueForm.Plain))));
            }, remembers: true));
        }

        using (writer.Open($"if (!{hasAny})"))
        {
            Bindings nothing = ElementRecord.Nothing(site.Bindings, PlanReads.Above(outer, scope.Reads));
            consumer.Element(writer, site.With(nothing.WithValue(outer.Match, new ValuePlace("false", ValueForm.Plain))));
        }
    }
}
