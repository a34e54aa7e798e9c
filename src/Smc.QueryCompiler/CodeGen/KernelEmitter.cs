using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Plans to C#: one static class per query with a method <c>Run</c> that takes the query's parameters and returns its result.
/// The fast variant of a query comes first; where it can meet data that it is not made for, a plain variant follows, which runs then.
/// </summary>
public static class KernelEmitter
{
    /// <summary>Why a valid plan cannot be compiled, or null when it can.</summary>
    public static string? TryExplainUnsupported(QueryPlan plan) => UnsupportedPlan.Explain(plan) ?? (plan.Plain is { } plain ? UnsupportedPlan.Explain(plain) : null);

    /// <summary>The kernel of a plan for which <see cref="TryExplainUnsupported"/> has no objection.</summary>
    public static Kernel Emit(QueryPlan plan) => Emit(plan, numbers: null);

    /// <summary>A kernel that counts what its operators do, by these numbers.</summary>
    public static Kernel EmitAnalyzed(QueryPlan plan, OperatorNumbers numbers) => Emit(plan, numbers);

    private static Kernel Emit(QueryPlan plan, OperatorNumbers? numbers)
    {
        LayoutConstants layout = new();
        MemberAccessors accessors = new();
        RecordTypes records = new();
        List<(OtherSide Side, KernelVariant Variant)> others = [.. plan.OtherSides.Where(other => UnsupportedPlan.Explain(other.Plan) is null).Select(other => (other, WriteFast(other.Plan)))];
        KernelVariant? fast = WriteFast(plan), plain = null;
        if (fast.CanGiveUp || others.Any(other => other.Variant.CanGiveUp))
        {
            if (!Purity.CanRunAgain(plan.Root))
            {
                // A call may have an effect, so nothing may run a second time: the plain variant alone.
                fast = null;
                others.Clear();
                layout = new();
                accessors = new();
                records = new();
            }

            plain = Write(new KernelScope(plan.Plain ?? plan, layout, accessors, records, isPlain: true), numbers);
        }

        CodeWriter body = new();
        if (fast is not null && (plain is not null || others.Count > 0))
            WriteChoice(body, plan, others, fast, plain);
        else
            (fast ?? plain)!.WriteTo(body, isWithRun: false);
        string text = string.Concat(layout.Declarations.Select(d => d + "\n")) + "\n" + accessors.Declarations + body + (records.Declarations.Length == 0 ? "" : "\n" + records.Declarations);
        // With the name in the hash: files of names that differ in case only must not be one.
        string name = $"{plan.Name}_{GeneratedFile.Fingerprint(plan.Name + text)}";
        PhysicalPlan physical = new();
        foreach (KernelVariant variant in others.Select(other => other.Variant).Concat(fast is null ? [] : [fast]))
            physical.AddAll(variant.Physical);
        string classText = WriteClass(plan, physical, name, text);
        return new Kernel(name, WriteFile(classText), classText, $"internal static {ResultType(plan)} Run({Parameters(plan)})", physical);

        KernelVariant WriteFast(QueryPlan form) => Write(new KernelScope(form, layout, accessors, records, isPlain: false), numbers);
    }

    private static KernelVariant Write(KernelScope scope, OperatorNumbers? numbers)
    {
        if (numbers is not null)
            scope.Analysis = new Analysis(scope, numbers);
        KernelVariant variant = new(scope);
        variant.Write();
#if DEBUG
        PhysicalValidator.Check(variant.Physical, scope.Plan);
#endif
        return variant;
    }

    /// <summary>The result type of <c>Run</c>; <c>object</c> where the real one has no name.</summary>
    public static string ResultType(QueryPlan plan) => plan.ResultType.CSharp.Length == 0 ? "object" : plan.ResultType.Text;

    internal static string Parameters(QueryPlan plan) => string.Join(", ", plan.Parameters.Select(p => $"{ParameterType(p)} p{p.Index}"));

    internal static string ParameterType(PlanParameter parameter) =>
        parameter.RowShape is { } row ? $"{KernelApi.Collection}<{row}>" : parameter.Type.Text;

    /// <summary>
    /// The variants, and which of them runs: what is scanned where collections are joined is decided by their rows.
    /// The fast one is in the class of the kernel itself, where it is less indented; the others are in classes of their own.
    /// </summary>
    private static void WriteChoice(CodeWriter writer, QueryPlan plan, List<(OtherSide Side, KernelVariant Variant)> others, KernelVariant fast, KernelVariant? plain)
    {
        using (writer.Open($"internal static {ResultType(plan)} Run({Parameters(plan)})"))
        {
            for (int i = 0; i < others.Count; i++)
            {
                OtherSide side = others[i].Side;
                string conditions = string.Join(" && ", side.Smaller.Select(smaller => $"{Rows(side.Larger)} > {OtherSide.Factor} * {Rows(smaller)}"));
                string run = $"return {Running(plan, OtherName(i) + ".", others[i].Variant, $"other{i}")};";
                if (fast.PartnerSeeks.Select(seek => seek.Pays(side)).FirstOrDefault(pays => pays is not null) is not { } looksUp)
                {
                    writer.Line($"if ({conditions})").Line("    " + run);
                    continue;
                }

                using (writer.Open($"if ({conditions})"))
                {
                    writer.Line("bool looksUp;");
                    writer.Line($"using ({KernelApi.CriticalSection}.Enter())").Line($"    looksUp = {looksUp};");
                    writer.Line("if (!looksUp)").Line("    " + run);
                }
            }

            writer.Line($"return {Running(plan, "", fast)};");
        }

        writer.Line();
        writer.Line("// For ordinary data; gives up where references lead nowhere or numbers get large.");
        fast.WriteTo(writer, isWithRun: true);
        for (int i = 0; i < others.Count; i++)
        {
            OtherSide side = others[i].Side;
            string smaller = string.Join(" and ", side.Smaller.Select(p => plan.Parameters[p].Name));
            WriteVariant(writer, OtherName(i), $"Scans {plan.Parameters[side.Larger].Name}, which has far more rows than {smaller}.", others[i].Variant);
        }

        if (plain is not null)
            WriteVariant(writer, "Plain", "Row by row, in the order and with the arithmetic of the query.", plain);
    }

    private static string OtherName(int number) => number == 0 ? "OtherSide" : $"OtherSide{number + 1}";

    private static string Rows(int parameter) => $"{KernelApi.CollectionAccess}.Rows(p{parameter})";

    private static string Running(QueryPlan plan, string variant, KernelVariant code, string result = "result")
    {
        string arguments = string.Join(", ", plan.Parameters.Select(p => "p" + p.Index));
        string again = code.PartnerSeeks.Count > 0 ? $" || {KernelApi.PartnerIndex}.WereInVain() && {variant}TryRun({arguments}, out {result}, true)" : "";
        return code.CanGiveUp
            ? $"{variant}TryRun({arguments}, out {ResultType(plan)} {result}){again} ? {result} : Plain.Run({arguments})"
            : $"{variant}{(variant.Length == 0 ? KernelVariant.RunBesideRun : "Run")}({arguments})";
    }

    private static void WriteVariant(CodeWriter writer, string name, string summary, KernelVariant variant)
    {
        writer.Line();
        writer.Line($"// {summary}");
        using (writer.Open($"private static class {name}"))
            variant.WriteTo(writer, isWithRun: false);
    }

    /// <summary>The class by itself: queries of <c>[CompiledQuery]</c> nest it in the user's type.</summary>
    private static string WriteClass(QueryPlan plan, PhysicalPlan physical, string name, string body)
    {
        CodeWriter writer = new();
        WriteComment(writer, plan.QueryText);
        writer.Line("//");
        WriteComment(writer, PlanPrinter.Print(plan, physical.Describe));
        using (writer.Open($"internal static class {name}"))
            writer.Lines(body.TrimEnd('\n'));
        return writer.ToString();
    }

    private static string WriteFile(string classText)
    {
        CodeWriter writer = new();
        writer.Lines(GeneratedFile.Header);
        writer.Line();
        writer.Line($"namespace {GeneratedFile.Namespace};");
        writer.Line();
        foreach (string directive in LibraryNames.Directives)
            writer.Line(directive);
        writer.Line();
        writer.Lines(LibraryNames.Shorten(classText.TrimEnd('\n')));
        return writer.ToString();
    }

    /// <summary>Writes a text as a comment. A text that the query contains may have any character that ends a line in C#, and must not end the comment.</summary>
    private static void WriteComment(CodeWriter writer, string text)
    {
        foreach (string line in text.Replace("\r", "").TrimEnd('\n').Split('\n', '\u0085', '\u2028', '\u2029'))
            writer.Line(("// " + line).TrimEnd());
    }
}
