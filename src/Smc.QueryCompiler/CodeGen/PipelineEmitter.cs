using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Writes one pipeline: the methods that run over blocks or lists, and the statements that start it.</summary>
internal sealed class PipelineEmitter(KernelScope scope, Pipeline pipeline, SinkEmitter sink, IReadOnlyList<SinkEmitter> earlier)
{
    private readonly string _suffix = pipeline.Index.ToString(System.Globalization.CultureInfo.InvariantCulture);

    public Pipeline Pipeline => pipeline;

    public SinkEmitter Sink => sink;

    /// <summary>The cursor over the pipeline's elements.</summary>
    public Cursor Cursor => pipeline.Source switch
    {
        GroupSource groups => new GroupCursor((AggregateSinkEmitter)earlier[groups.AggregatePipeline]),
        OrderedSource { AggregatePipeline: { } groups } => new GroupCursor((AggregateSinkEmitter)earlier[groups]),
        _ => RowCursor.Instance,
    };

    /// <summary>
    /// Whether the scan may renew its critical section between blocks. Conditions on referenced rows are answered before the scan, by dense id,
    /// and a dense id may get another row in another section. How a column holds a text (TextSet) is good for the section in which it was asked, too.
    /// </summary>
    public bool IsRenewable { get; private set; }

    /// <summary>Declares state and writes methods.</summary>
    public void Prepare()
    {
        foreach ((LimitStep limit, int index) in Limits)
            scope.Setup.Line($"{scope.Field("int", $"Left{_suffix}_{index}")} = {scope.Invariant(limit.Count)};");
        if (pipeline.Source is ScanSource scan)
            PrepareScan(scan.Scan);
        else
            PrepareList();
    }

    /// <summary>Writes the statements of <c>Run</c> that start the pipeline.</summary>
    public void WriteStart(CodeWriter writer, Action<CodeWriter> leave)
    {
        string condition = string.Join(" && ", Limits.Select(l => $"s.Left{_suffix}_{l.Index} > 0"));
        if (pipeline.Source is ScanSource)
        {
            string loop = condition.Length == 0 ? "scan.MoveNext()" : $"{condition} && scan.MoveNext()";
            using (writer.Open($"while ({loop})"))
            {
                writer.Line($"Scan{_suffix}(ref s, scan.Block, scan.SlotCount, scan.IsDense ? 0UL : scan.Validity);");
                writer.Line("if (s.IsDone || s.GaveUp)").Line("    break;");
            }
        }
        else
        {
            if (condition.Length > 0)
                writer.Line($"if ({condition})");
            writer.Line($"{(condition.Length > 0 ? "    " : "")}Consume{_suffix}(ref s);");
        }

        writer.Line("s.IsDone = false;");
        sink.Finish(writer);
        leave(writer);
    }

    private IEnumerable<(LimitStep Limit, int Index)> Limits =>
        pipeline.Steps.Select((step, index) => (step as LimitStep, index)).Where(l => l.Item1 is not null).Select(l => (l.Item1!, l.index));

    private void PrepareScan(Scan scan)
    {
        List<ScalarExpression> conditions = [.. pipeline.Steps.TakeWhile(s => s is FilterStep).Cast<FilterStep>().SelectMany(f => f.Conditions)];
        int used = pipeline.Steps.TakeWhile(s => s is FilterStep).Count();
        FilterPlan filters = scope.IsPlain
            ? new FilterPlan([], [], [], [], conditions)
            : new FilterPlanner(scope.Plan).Make(conditions, scan, allowNavigation: true);
        IsRenewable = filters.Navigations.Count == 0 && filters.Texts.Count == 0 && sink.KeepsOnlyValues;
        FilterStage filter = new(scope, filters, scope.Plan.Shape(scan.Shape), _suffix);
        filter.Prepare("context");
        sink.Prepare("context");
        filter.WritePasses();

        List<PipelineStep> rest = [.. pipeline.Steps.Skip(used)];
        if (filters.Late.Count > 0)
            rest.Insert(0, new FilterStep(filters.Late));
        WriteConsume(rest, $"ref State s, ulong {RowCursor.Block}, int count", KernelMethods.SelectionLoop, KernelMethods.SelectedSlot, pipeline.Steps.Count - rest.Count);
        WriteScan(filter, rest.Count == 0);
    }

    private void WriteScan(FilterStage filter, bool takesWholeBatches)
    {
        CodeWriter writer = scope.Methods;
        Action<CodeWriter> consume = body => body.Line($"Consume{_suffix}(ref s, {RowCursor.Block}, count);");
        KernelMethods.Header(writer);
        using (writer.Open($"private static void Scan{_suffix}(ref State s, ulong {RowCursor.Block}, int slots, ulong validity)"))
        {
            filter.WriteZoneTests(writer);
            sink.BeginBlock(writer);
            filter.WriteBatches(writer, takesWholeBatches ? sink.VectorBatch : null, consume);
            writer.Line("if (s.GaveUp)").Line("    return;");
            sink.EndBlock(writer);
        }

        writer.Line();
    }

    private void PrepareList()
    {
        sink.Prepare(null);
        AggregateSinkEmitter? groups = pipeline.Source is GroupSource source ? (AggregateSinkEmitter)earlier[source.AggregatePipeline] : null;
        if (groups is { HasGroups: false })
            return;
        string loop = groups?.GroupLoop ?? $"for (int i = 0; i < {List}.Count; i++)";
        WriteConsume(pipeline.Steps, "ref State s", loop, groups?.GroupAt, 0);
    }

    private string List => $"s.{OrderedRows}";

    private string OrderedRows => ((OrderSinkEmitter)earlier[((OrderedSource)pipeline.Source).OrderPipeline]).RowsField;

    /// <summary>Reading through the key of a group misses the cache twice, for entry and value; those of later groups are asked for ahead.</summary>
    private void WritePrefetches(CodeWriter writer, AggregateSinkEmitter groups)
    {
        IEnumerable<ScalarExpression> used = pipeline.Steps.OfType<FilterStep>().SelectMany(f => f.Conditions)
            .Concat(pipeline.Sink is OrderSink order ? order.Keys.Select(k => k.Value) : []);
        foreach (ColumnRead read in used.SelectMany(e => e.SelfAndDescendants()).OfType<ColumnRead>().Where(r => r.Row is KeyRead { Type.Kind: TypeKind.Tabular }).Distinct())
        {
            (TabularShape shape, ColumnShape column) = new ColumnEmitter(scope).Find(read);
            writer.Line(groups.Prefetch((KeyRead)read.Row, scope.Layout.Offset(shape, column), scope.Layout.Stride(shape, column)));
        }
    }

    private void WriteConsume(IReadOnlyList<PipelineStep> steps, string parameters, string loop, string? element, int firstStep)
    {
        CodeWriter writer = scope.Methods;
        KernelMethods.Header(writer);
        using (writer.Open($"private static void Consume{_suffix}({parameters})"))
        {
            sink.BeginLoop(writer);
            using (writer.Open(loop))
            {
                DeclareElement(writer, element);
                if (pipeline.Source is GroupSource groups)
                    WritePrefetches(writer, (AggregateSinkEmitter)earlier[groups.AggregatePipeline]);
                WriteSteps(writer, steps, 0, firstStep);
            }

            sink.EndLoop(writer);
        }

        writer.Line();
    }

    private void DeclareElement(CodeWriter writer, string? element)
    {
        if (element is not null)
            writer.Line(element);
        else if (Cursor is GroupCursor)
            writer.Line($"ulong {GroupCursor.Group} = {List}[i].Element;");
        else
            RowCursor.Declare(writer, $"{List}[i].Element");
    }

    private void WriteSteps(CodeWriter writer, IReadOnlyList<PipelineStep> steps, int index, int firstStep)
    {
        if (index == steps.Count)
        {
            sink.Element(writer, Cursor);
        }
        else if (steps[index] is FilterStep filter)
        {
            using (writer.Open($"if ({new ScalarEmitter(scope, Cursor).Value(Conjunctions.Join(filter.Conditions))})"))
                WriteSteps(writer, steps, index + 1, firstStep);
        }
        else
        {
            string left = $"s.Left{_suffix}_{index + firstStep}";
            writer.Line($"{left}--;");
            using (writer.Open(""))
                WriteSteps(writer, steps, index + 1, firstStep);
            using (writer.Open($"if ({left} == 0)"))
                writer.Line("s.IsDone = true;").Line("break;");
        }
    }
}
