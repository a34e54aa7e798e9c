using System.Text.RegularExpressions;
using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>One variant of a kernel: its entry point, its methods and its state.</summary>
internal sealed class KernelVariant(KernelScope scope)
{
    /// <summary>The local with the critical section that a kernel is in from its first look at a collection to its last; a scan may renew it between blocks.</summary>
    public const string Section = "section";

    /// <summary>The entry point of a variant that cannot give up, in a class that has <c>Run</c> already.</summary>
    public const string RunBesideRun = "RunAsWritten";

    private readonly CodeWriter _body = new();
    private HashSet<string>? _read;

    public bool CanGiveUp => scope.CanGiveUp;

    /// <summary>The joins whose partners an index may find.</summary>
    public IReadOnlyList<PartnerSeek> PartnerSeeks => scope.PartnerSeeks;

    /// <summary>How it goes about the operators of the plan, once it is written.</summary>
    public PhysicalPlan Physical => scope.Physical;

    /// <summary>Writes everything into the scope.</summary>
    public void Write()
    {
        Site site = new(new Frame(null, "return default!;"), "s.Region", Bindings.None, IsNested: false);
        new TerminalEmitter(scope, scope.Plan.Root, scope.Plan.Terminal, scope.Plan.Comparer, scope.Plan.IsOfMatches).Produce(_body, site, "result");
    }

    /// <summary>Writes the members of the class that holds the variant.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="isWithRun">Whether the class has a method <c>Run</c>, which chooses the variant.</param>
    public void WriteTo(CodeWriter writer, bool isWithRun)
    {
        WriteRun(writer, isWithRun ? RunBesideRun : "Run");
        writer.Line();
        if (scope.Methods.ToString() is { Length: > 0 } methods)
            writer.Lines(methods.TrimEnd('\n')).Line();
        if (scope.Types.ToString() is { Length: > 0 } types)
            writer.Lines(types.TrimEnd('\n')).Line();
        WriteState(writer);
    }

    /// <summary>Writes the statements that give a thread the memory in which it filters blocks.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="state">What fields of the state are qualified with.</param>
    public static void WriteScratch(CodeWriter writer, string state)
    {
        writer.Line($"{state}Bitmap = {state}Region.Allocate({KernelApi.ScanBatch}.BitmapBytes);");
        writer.Line($"{state}Selection = {state}Region.Allocate({KernelApi.ScanBatch}.SelectionBytes);");
    }

    /// <summary>Whether what was written reads a field of the state.</summary>
    private bool IsRead(string field) => (_read ??= FieldsRead()).Contains(field);

    private HashSet<string> FieldsRead() =>
        [.. new[] { _body, scope.Setup, scope.Methods, scope.Types }.SelectMany(text => Regex.Matches(text.ToString(), @"\bs\.(\w+)", RegexOptions.CultureInvariant).Cast<Match>()).Select(match => match.Groups[1].Value)];

    private IEnumerable<PlanParameter> Collections => scope.Plan.Parameters.Where(p => p.RowShape is not null);

    /// <summary>The parameters that methods read.</summary>
    private IEnumerable<PlanParameter> Parameters => scope.Plan.Parameters.Where(p => IsRead("P" + p.Index));

    /// <summary>The collections of which methods read the memory context; the first has the memory manager.</summary>
    private IEnumerable<PlanParameter> Contexts => Collections.Where((p, i) => i == 0 || IsRead("Context" + p.Index));

    private void WriteRun(CodeWriter writer, string name)
    {
        bool tries = scope.CanGiveUp && !scope.IsPlain;
        string result = KernelEmitter.ResultType(scope.Plan), parameters = KernelEmitter.Parameters(scope.Plan);
        KernelMethods.Header(writer);
        using (writer.Open(tries ? $"internal static bool TryRun({parameters}, out {result} result{(scope.PartnerSeeks.Count > 0 ? $", bool {PartnerSeek.IsAgain} = false" : "")})" : $"internal static {result} {name}({parameters})"))
        {
            writer.Line(tries ? "result = default!;" : $"{result} result;");
            writer.Line($"using {KernelApi.CriticalSection} {Section} = {KernelApi.CriticalSection}.Enter();");
            writer.Line("State s = default;");
            if (tries && scope.PartnerSeeks.Count > 0)
                writer.Line($"s.{PartnerSeek.IsAgainField} = {PartnerSeek.IsAgain};");
            if (scope.Analysis is not null)
                Analysis.WriteBegin(writer);
            foreach (PlanParameter parameter in Contexts)
                writer.Line($"s.Context{parameter.Index} = {KernelApi.CollectionAccess}.Context<{parameter.RowShape}>(p{parameter.Index}, {scope.Layout.Hash(scope.Plan.Shape(parameter.RowShape!))});");
            if (Collections.Any())
                writer.Line($"using {KernelApi.SnapshotScope} view = {KernelApi.SnapshotScope}.Enter({string.Join(", ", Collections.Select(p => $"p{p.Index}"))});");
            writer.Line(Collections.FirstOrDefault() is { } first ? $"s.Manager = s.Context{first.Index}.Manager;" : $"s.Manager = {KernelApi.MemoryManager}.Default;");
            using (writer.Open("try"))
            {
                writer.Line("s.Begin();");
                WriteSetup(writer);
                writer.Lines(_body.ToString().TrimEnd('\n'));
                scope.Analysis?.WriteEnd(writer);
                writer.Line(tries ? "return !s.GaveUp;" : "return result;");
            }

            using (writer.Open("finally"))
                writer.Line("s.End();");
        }
    }

    private void WriteSetup(CodeWriter writer)
    {
        foreach (PlanParameter parameter in Parameters)
            writer.Line($"s.P{parameter.Index} = p{parameter.Index};");
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
        writer.Line("// What the methods of a run share.");
        using (writer.Open($"private ref struct State{(scope.IsPlain ? "" : $" : {KernelApi.IKernelState}<State>")}"))
        {
            writer.Line($"public {KernelApi.MemoryManager} Manager;");
            writer.Line($"public {KernelApi.Region} Region;");
            if (!scope.IsPlain)
                writer.Line("public ulong Bitmap, Selection;");
            if (IsRead("Exit"))
                writer.Line("public int Exit;");
            if (!scope.IsPlain || IsRead("GaveUp"))
                writer.Line("public bool GaveUp;");
            foreach (PlanParameter parameter in Parameters)
                writer.Line($"public {KernelEmitter.ParameterType(parameter)} P{parameter.Index};");
            foreach (PlanParameter parameter in Contexts)
                writer.Line($"public {KernelApi.MemoryContext} Context{parameter.Index};");
            foreach (string field in scope.Fields)
                writer.Line(field);
            WriteMemory(writer);
        }
    }

    /// <summary>Writes the methods of the state that give a thread its memory and take it back; in the fast variant, which threads share, all that <c>IKernelState</c> asks for.</summary>
    private void WriteMemory(CodeWriter writer)
    {
        writer.Line();
        KernelMethods.Write(writer, "public void Begin()", body =>
        {
            body.Line($"Region = new {KernelApi.Region}(Manager);");
            foreach (string field in scope.Regions.Concat(scope.Scratch))
                body.Line($"{Own(field)} = default;");
            if (!scope.IsPlain)
                WriteScratch(body, "");
        });
        KernelMethods.Write(writer, "public void End()", body =>
        {
            foreach (string region in scope.Regions)
                body.Line($"{Own(region)}.Dispose();");
            body.Line("Region.Dispose();");
        });
        if (scope.IsPlain)
            return;
        writer.Line("public bool HasGivenUp => GaveUp;");
        writer.Line("public void GiveUp() => GaveUp = true;");
        writer.Line("public void Adopt(ref State part) => Region.Adopt(ref part.Region);");
    }

    /// <summary>A field as the state itself names it.</summary>
    private static string Own(string field) => field.Substring("s.".Length);
}
