using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>One variant of a kernel: its state, its entry point and its methods.</summary>
internal sealed class KernelVariant(KernelScope scope, IReadOnlyList<Pipeline> pipelines)
{
    private readonly List<PipelineEmitter> _pipelines = [];

    public bool CanGiveUp => scope.CanGiveUp;

    /// <summary>Writes everything into the scope.</summary>
    public void Write()
    {
        List<SinkEmitter> sinks = [];
        foreach (Pipeline pipeline in pipelines)
        {
            SinkEmitter sink = pipeline.Sink switch
            {
                AggregateSink aggregate => new AggregateSinkEmitter(scope, pipeline, aggregate),
                OrderSink order => new OrderSinkEmitter(scope, pipeline, order),
                ResultSink result => new ResultSinkEmitter(scope, pipeline, result),
                _ => throw new InvalidOperationException("unknown sink " + pipeline.Sink.GetType().Name),
            };
            sinks.Add(sink);
            _pipelines.Add(new PipelineEmitter(scope, pipeline, sink, sinks));
        }

        foreach (PipelineEmitter pipeline in _pipelines)
        {
            if (!IsScalarResult(pipeline))
                pipeline.Prepare();
        }
    }

    /// <summary>Writes the members of the class that holds the variant.</summary>
    public void WriteTo(CodeWriter writer)
    {
        WriteRun(writer);
        writer.Line();
        writer.Lines(scope.Methods.ToString().TrimEnd('\n'));
        writer.Line();
        if (scope.Types.ToString() is { Length: > 0 } types)
            writer.Lines(types.TrimEnd('\n')).Line();
        WriteState(writer);
    }

    /// <summary>A scalar is made of the state of its aggregate; there is no element to loop over.</summary>
    private bool IsScalarResult(PipelineEmitter pipeline) => pipeline.Sink is ResultSinkEmitter && scope.Plan.Terminal == Terminal.Scalar;

    private void WriteRun(CodeWriter writer)
    {
        bool tries = scope.CanGiveUp;
        string result = KernelEmitter.ResultType(scope.Plan), parameters = KernelEmitter.Parameters(scope.Plan);
        using (writer.Open(tries ? $"internal static bool TryRun({parameters}, out {result} result)" : $"internal static {result} Run({parameters})"))
        {
            writer.Line(tries ? "result = default!;" : $"{result} result;");
            WriteBegin(writer);
            using (writer.Open("try"))
            {
                WriteSetup(writer);
                foreach (PipelineEmitter pipeline in _pipelines)
                    WritePipeline(writer, pipeline);
                writer.Line(tries ? "return true;" : "return result;");
            }

            using (writer.Open("finally"))
                writer.Line("s.Region.Dispose();");
        }
    }

    private void WriteBegin(CodeWriter writer)
    {
        Scan scan = ((ScanSource)pipelines[0].Source).Scan;
        string hash = scope.Layout.Hash(scope.Plan.Shape(scan.Shape));
        string renewal = _pipelines[0].IsRenewable ? ", isRenewable: true" : "";
        writer.Line($"using {KernelApi.BlockScanner} scan = {KernelApi.BlockScanner}.Begin<{scan.Shape}>(p{scan.Parameter}, {hash}{renewal});");
        writer.Line($"{KernelApi.MemoryContext} context = {KernelApi.CollectionAccess}.Context<{scan.Shape}>(p{scan.Parameter});");
        writer.Line("State s = default;");
        writer.Line($"s.Region = new {KernelApi.Region}(context.Manager);");
    }

    private void WriteSetup(CodeWriter writer)
    {
        foreach (PlanParameter parameter in scope.Plan.Parameters.Where(p => p.RowShape is null))
            writer.Line($"s.P{parameter.Index} = p{parameter.Index};");
        writer.Line($"s.Bitmap = s.Region.Allocate({KernelApi.ScanBatch}.BitmapBytes);");
        writer.Line($"s.Selection = s.Region.Allocate({KernelApi.ScanBatch}.SelectionBytes);");
        if (scope.Setup.ToString() is { Length: > 0 } setup)
            writer.Lines(setup.TrimEnd('\n'));
        Leave(writer);
        writer.Line();
    }

    private void WritePipeline(CodeWriter writer, PipelineEmitter pipeline)
    {
        if (!IsScalarResult(pipeline))
            pipeline.WriteStart(writer, Leave);
        if (pipeline.Sink is ResultSinkEmitter result)
            result.WriteResult(writer, pipeline.Cursor);
        else
            writer.Line();
    }

    private void Leave(CodeWriter writer)
    {
        if (scope.CanGiveUp)
            writer.Line("if (s.GaveUp)").Line("    return false;");
    }

    private void WriteState(CodeWriter writer)
    {
        writer.Line("/// <summary>What the methods of one execution share.</summary>");
        using (writer.Open("private ref struct State"))
        {
            writer.Line($"public {KernelApi.Region} Region;");
            writer.Line("public ulong Bitmap, Selection;");
            writer.Line("public bool IsDone, GaveUp;");
            foreach (PlanParameter parameter in scope.Plan.Parameters.Where(p => p.RowShape is null))
                writer.Line($"public {parameter.Type.Text} P{parameter.Index};");
            foreach (string field in scope.Fields)
                writer.Line(field);
        }
    }
}
