using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Conditions on referenced rows, evaluated once per referenced row into an array by dense id (0 no answer, 1 false, 2 true) before the scan;
/// the scan then loads one byte per row and touches no referenced row. Referenced rows are filtered like any scan, so this repeats along a path of references.
/// </summary>
internal sealed class NavigationStage(KernelScope scope, NavigationFilter navigation, string suffix)
{
    private readonly string _target = "s.Target" + suffix;

    /// <summary>Declares the array and writes how it is filled.</summary>
    /// <param name="context">Text of the memory context whose rows refer to the target.</param>
    public void Prepare(string context)
    {
        scope.Field(KernelApi.TargetRows, "Target" + suffix);
        scope.Field("ulong", "Doubtful" + suffix);
        WriteScratch(scope.Setup);
        (TabularShape shape, ColumnShape column) = new ColumnEmitter(scope).Find(navigation.Reference);
        CodeWriter setup = scope.Setup;
        setup.Line($"{_target} = {KernelApi.TargetRows}.Find({context}, {scope.Layout.Zone(shape, column)}, {scope.Layout.Hash(navigation.Target)}, ref s.Region);");

        Scan scan = new(-1, navigation.Target.FullName, navigation.Variable);
        FilterPlan filters = new FilterPlanner(scope).Make(navigation.Conditions, scan, allowNavigation: true);
        FilterStage filter = new(scope, filters, scan, suffix, keys: []);
        filter.Prepare($"{_target}.Context");
        WriteTargetScan(filter, filters);
        ParallelScanEmitter parallel = new(scope, suffix);
        parallel.WriteType(ScanParts.None, body => WriteEvaluation(body, SlotPlace.BlockName), filter);
        using (parallel.OpenSerial(setup, _target))
        using (setup.Open($"for (int i = 0; i < {_target}.BlockCount && !s.GaveUp; i++)"))
        {
            setup.Line($"ulong target = {_target}.Block(i);");
            WriteEvaluation(setup, "target");
        }
    }

    /// <summary>Writes the statement that gives a thread memory for references that it has to look at.</summary>
    public void WriteScratch(CodeWriter writer) => writer.Line($"s.Doubtful{suffix} = s.Region.Allocate({KernelApi.ScanBatch}.ReferenceBytes);");

    /// <summary>Writes the pass that keeps the rows whose target is marked true; returns the method's name.</summary>
    public string WritePass(Action<CodeWriter>? unresolved)
    {
        string name = $"Navigate{suffix}";
        string reference = new ColumnEmitter(scope).Raw(navigation.Reference, SlotPlace.Current);
        CodeWriter writer = new();
        KernelMethods.Header(writer);
        using (writer.Open($"private static int {name}(ref State s, ulong {SlotPlace.BlockName}, int count)"))
        {
            writer.Line($"ulong flags = {_target}.Flags, origin = {_target}.Origin, limit = {_target}.Limit, kept = s.Selection, doubtful = s.Doubtful{suffix}, missing = 0;");
            using (writer.Open(KernelMethods.SelectionLoop))
            {
                writer.Line(KernelMethods.SelectedSlot);
                new RowsAhead(scope, new ColumnEmitter(scope).Find(navigation.Reference).Shape, ((RowVariable)navigation.Reference.Row).Variable).Write(writer, [navigation.Reference]);
                writer.Line($"ulong reference = {reference};");
                writer.Line($"ulong flag = {KernelApi.KernelMemory}.Read<byte>(flags + {KernelApi.TargetRows}.IndexOf(reference, origin, limit));");
                if (unresolved is null)
                {
                    writer.Line("missing |= unchecked(flag - 1);");
                }
                else
                {
                    using (writer.Open("if (flag == 0)"))
                        unresolved(writer);
                }

                writer.Line($"{KernelApi.KernelMemory}.Write(kept, (uint){SlotPlace.SlotName});");
                writer.Line("kept += (flag & 2) << 1;");
                using (writer.Open($"if ((flag & {KernelApi.TargetRows}.MustCheck) != 0)"))
                {
                    writer.Line($"{KernelApi.KernelMemory}.Write(doubtful, reference);");
                    writer.Line("doubtful += sizeof(ulong);");
                }
            }

            using (writer.Open($"for (ulong next = s.Doubtful{suffix}; next < doubtful; next += sizeof(ulong))"))
                writer.Line($"if (!{KernelApi.TargetRows}.IsAlive({KernelApi.KernelMemory}.Read<ulong>(next)))").Line("    missing = ulong.MaxValue;");

            using (writer.Open("if (unchecked((long)missing) < 0)"))
                scope.GiveUp(writer, "0");
            writer.Line("return (int)((kept - s.Selection) >> 2);");
        }

        scope.AddMethod(writer);
        return name;
    }

    private void WriteEvaluation(CodeWriter writer, string block)
    {
        writer.Line("do");
        writer.Line($"    Evaluate{suffix}(ref s, {block}, {KernelApi.BlockHeader}.SlotCount({block}), {KernelApi.BlockHeader}.Validity({block}));");
        writer.Line($"while ({_target}.MustRepeat({block}) && !s.GaveUp);");
    }

    private void WriteTargetScan(FilterStage filter, FilterPlan filters)
    {
        filter.WritePasses(writer => writer.Line($"{_target}.Mark({SlotPlace.BlockName}, {SlotPlace.SlotName}, 0);"));
        string late = filters.Late.Count == 0 ? "2" : $"Test{suffix}(ref s, {SlotPlace.BlockName}, {SlotPlace.SlotName})";
        if (filters.Late.Count > 0)
            WriteLateTest(filters.Late);
        CodeWriter writer = new();
        KernelMethods.Header(writer);
        using (writer.Open($"private static void Evaluate{suffix}(ref State s, ulong {SlotPlace.BlockName}, int slots, ulong validity)"))
        {
            writer.Line($"{_target}.MarkFalse({SlotPlace.BlockName}, slots, validity);");
            filter.WriteZoneTests(writer);
            filter.WriteBatches(writer, null, WriteMarks);
        }

        scope.AddMethod(writer);

        void WriteMarks(CodeWriter body)
        {
            using (body.Open(KernelMethods.SelectionLoop))
            {
                body.Line(KernelMethods.SelectedSlot);
                body.Line($"{_target}.Mark({SlotPlace.BlockName}, {SlotPlace.SlotName}, {late});");
            }
        }
    }

    /// <summary>Conditions that can raise: a row for which they do has no answer, and the plain variant raises it if a row of the scan asks.</summary>
    private void WriteLateTest(IReadOnlyList<ScalarExpression> conditions)
    {
        CodeWriter writer = new();
        using (writer.Open($"private static byte Test{suffix}(ref State s, ulong {SlotPlace.BlockName}, ulong {SlotPlace.SlotName})"))
        {
            writer.Line("bool hadGivenUp = s.GaveUp;");
            using (writer.Open("try"))
            {
                Site site = ValueLocals.LoadShared(scope, conditions, EvaluatedParts.Of(conditions[0]), writer, Site.OfRow(navigation.Variable));
                writer.Line($"byte answer = {new ScalarEmitter(scope, site).Value(Conjunctions.Join(conditions))} ? (byte)2 : (byte)1;");
                writer.Line("return s.GaveUp == hadGivenUp ? answer : (byte)0;");
            }

            using (writer.Open("catch (global::System.Exception)"))
                writer.Line("return 0;");
            writer.Line("// What does not fit matters only for a row that is asked for.");
            using (writer.Open("finally"))
                writer.Line("s.GaveUp = hadGivenUp;");
        }

        scope.AddMethod(writer);
    }
}
