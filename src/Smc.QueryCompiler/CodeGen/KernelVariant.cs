using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>One variant of a kernel: its entry point, its methods and its state.</summary>
internal sealed class KernelVariant(KernelScope scope)
{
    /// <summary>The local with the critical section that a kernel is in from its first look at a collection to its last; a scan may renew it between blocks.</summary>
    public const string Section = "section";

    private readonly CodeWriter _body = new();

    public bool CanGiveUp => scope.CanGiveUp;

    /// <summary>How it goes about the operators of the plan, once it is written.</summary>
    public PhysicalPlan Physical => scope.Physical;

    /// <summary>Writes everything into the scope.</summary>
    public void Write()
    {
        Site site = new(new Frame(null, "return default!;"), "s.Region", Bindings.None, IsNested: false);
        new TerminalEmitter(scope, scope.Plan.Root, scope.Plan.Terminal, scope.Plan.Comparer, scope.Plan.IsOfMatches).Produce(_body, site, "result");
    }

    /// <summary>Writes the members of the class that holds the variant.</summary>
    public void WriteTo(CodeWriter writer)
    {
        WriteRun(writer);
        writer.Line();
        if (scope.Methods.ToString() is { Length: > 0 } methods)
            writer.Lines(methods.TrimEnd('\n')).Line();
        if (scope.Types.ToString() is { Length: > 0 } types)
            writer.Lines(types.TrimEnd('\n')).Line();
        WriteState(writer);
    }

    /// <summary>Writes the statements that give a thread the memory in which it filters blocks.</summary>
    public static void WriteScratch(CodeWriter writer)
    {
        writer.Line($"s.Bitmap = s.Region.Allocate({KernelApi.ScanBatch}.BitmapBytes);");
        writer.Line($"s.Selection = s.Region.Allocate({KernelApi.ScanBatch}.SelectionBytes);");
    }

    private IEnumerable<PlanParameter> Collections => scope.Plan.Parameters.Where(p => p.RowShape is not null);

    private void WriteRun(CodeWriter writer)
    {
        bool tries = scope.CanGiveUp && !scope.IsPlain;
        string result = KernelEmitter.ResultType(scope.Plan), parameters = KernelEmitter.Parameters(scope.Plan);
        KernelMethods.Header(writer);
        using (writer.Open(tries ? $"internal static bool TryRun({parameters}, out {result} result)" : $"internal static {result} Run({parameters})"))
        {
            writer.Line(tries ? "result = default!;" : $"{result} result;");
            writer.Line($"using {KernelApi.CriticalSection} {Section} = {KernelApi.CriticalSection}.Enter();");
            writer.Line("State s = default;");
            if (scope.Analysis is not null)
                Analysis.WriteBegin(writer);
            foreach (PlanParameter parameter in Collections)
                writer.Line($"s.Context{parameter.Index} = {KernelApi.CollectionAccess}.Context<{parameter.RowShape}>(p{parameter.Index}, {scope.Layout.Hash(scope.Plan.Shape(parameter.RowShape!))});");
            if (Collections.Any())
                writer.Line($"using {KernelApi.SnapshotScope} view = {KernelApi.SnapshotScope}.Enter({string.Join(", ", Collections.Select(p => $"p{p.Index}"))});");
            writer.Line(Collections.FirstOrDefault() is { } first ? $"s.Manager = s.Context{first.Index}.Manager;" : $"s.Manager = {KernelApi.MemoryManager}.Default;");
            writer.Line($"s.Region = new {KernelApi.Region}(s.Manager);");
            using (writer.Open("try"))
            {
                WriteSetup(writer);
                writer.Lines(_body.ToString().TrimEnd('\n'));
                scope.Analysis?.WriteEnd(writer);
                writer.Line(tries ? "return !s.GaveUp;" : "return result;");
            }

            using (writer.Open("finally"))
            {
                foreach (string region in scope.Regions)
                    writer.Line($"{region}.Dispose();");
                writer.Line("s.Region.Dispose();");
            }
        }
    }

    private void WriteSetup(CodeWriter writer)
    {
        foreach (PlanParameter parameter in scope.Plan.Parameters)
            writer.Line($"s.P{parameter.Index} = p{parameter.Index};");
        if (!scope.IsPlain)
            WriteScratch(writer);

        if (scope.Setup.ToString() is { Length: > 0 } setup)
        {
            writer.Lines(setup.TrimEnd('\n'));
            if (scope.CanGiveUp)
                writer.Line("if (s.GaveUp)").Line("    return default!;");
        }

        writer.Line();
    }

    private void WriteState(CodeWriter writer)
    {
        writer.Line("/// <summary>What the methods of one execution share.</summary>");
        using (writer.Open("private ref struct State"))
        {
            writer.Line($"public {KernelApi.MemoryManager} Manager;");
            writer.Line($"public {KernelApi.Region} Region;");
            writer.Line("public ulong Bitmap, Selection;");
            writer.Line("public int Exit;");
            writer.Line("public bool GaveUp;");
            foreach (PlanParameter parameter in scope.Plan.Parameters)
                writer.Line($"public {KernelEmitter.ParameterType(parameter)} P{parameter.Index};");
            foreach (PlanParameter parameter in Collections)
                writer.Line($"public {KernelApi.MemoryContext} Context{parameter.Index};");
            foreach (string field in scope.Fields)
                writer.Line(field);
        }
    }
}
