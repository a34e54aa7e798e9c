using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Conditions on referenced rows, evaluated once per referenced row into an array by dense id before the scan;
/// the scan then loads one byte per row and touches no referenced row. Referenced rows are filtered like any scan, so this repeats along a path of references.
/// </summary>
/// <param name="scope">The variant of the kernel.</param>
/// <param name="owner">The operator of the plan that the conditions are tested for.</param>
/// <param name="navigation">The reference and the conditions.</param>
/// <param name="suffix">What names end with.</param>
internal sealed class NavigationStage(KernelScope scope, LogicalOperator owner, NavigationFilter navigation, string suffix)
{
    /// <summary>The reference and the conditions.</summary>
    public NavigationFilter Filter => navigation;

    /// <summary>The field of the state that holds the referenced rows.</summary>
    public string Target { get; } = "s.Target" + suffix;

    /// <summary>Declares the array and writes how it is filled.</summary>
    /// <param name="context">Text of the memory context whose rows refer to the target.</param>
    /// <param name="takesColumns">Whether whole columns are looked up: see <see cref="LookUp"/>.</param>
    public void Prepare(string context, bool takesColumns)
    {
        scope.Field(KernelApi.TargetRows, "Target" + suffix);
        (TabularShape shape, ColumnShape column) = new ColumnEmitter(scope).Find(navigation.Reference);
        CodeWriter setup = scope.Setup;
        setup.Line($"{Target} = {KernelApi.TargetRows}.Find({context}, {scope.Layout.Zone(shape, column)}, {scope.Layout.Hash(navigation.Target)}, ref s.Region);");

        Scan scan = new(-1, navigation.Target.FullName, navigation.Variable);
        FilterPlan filters = new FilterPlanner(scope).Make(navigation.Conditions, scan, allowNavigation: true);
        FilterStage filter = new(scope, owner, filters, scan, suffix, keys: []);
        filter.Prepare($"{Target}.Context");
        WriteTargetScan(filter, filters);
        ParallelScanEmitter parallel = new(scope, suffix);
        parallel.WriteScan(ScanParts.None, WriteEvaluation, seek: [], beginSerial: _ => { });
        if (scope.Analysis is { } analysis)
            analysis.WriteTarget(owner, setup, navigation.Reference, Target, WriteTargets);
        else
            WriteTargets(setup);
        // In rows, selected ones are looked up by codes of several numbers first, in the bits.
        if (takesColumns || !column.IsContiguous)
            setup.Line($"{Target}.Pack(ref s.Region);");

        void WriteTargets(CodeWriter writer) => writer.Line(parallel.ScanTargets(Target));
    }

    /// <summary>The local of a block's method that holds its references to the target.</summary>
    public string References { get; } = "references" + navigation.Reference.Column;

    /// <summary>Declares the block's references to the target, in the block's method.</summary>
    public void WriteReferences(CodeWriter writer)
    {
        ColumnEmitter columns = new(scope);
        (TabularShape shape, ColumnShape column) = columns.Find(navigation.Reference);
        writer.Line($"{KernelApi.BlockNumbers} {References} = {Target}.ReferencesIn({columns.InBlock(shape, column)});");
    }

    /// <summary>The calls that keep the rows whose target is marked true.</summary>
    /// <param name="marked">The field with the rows that the scan marks: those without an answer have none there. Null if the kernel gives up at them.</param>
    public LookUp LookUp(string? marked)
    {
        string narrow = $"{Target}.Narrow({References}, first, rows, s.Bitmap)";
        if (marked is not null)
            return CodeGen.LookUp.Of(Target, "KeepToMark", "AppendToMark", "Cost", References, before: $"{SlotPlace.BlockName}, {marked}, ") with { Narrow = narrow };
        scope.CanGiveUp = true;
        return CodeGen.LookUp.Of(Target, "Keep", "Append", "Cost", References, last: ", ref s.GaveUp") with { Narrow = narrow };
    }

    /// <summary>Text that is true for a row whose target is marked true.</summary>
    public string Test(Site site) => Test(new ScalarEmitter(scope, site).Raw(navigation.Reference));

    /// <summary>Text that is true for a reference whose target is marked true.</summary>
    public string Test(string reference)
    {
        scope.CanGiveUp = true;
        return $"{Target}.IsTrue({reference}, ref s.GaveUp)";
    }

    private void WriteEvaluation(CodeWriter writer)
    {
        writer.Line("do");
        writer.Line($"    Evaluate{suffix}(ref s, {SlotPlace.BlockName}, {KernelApi.BlockHeader}.SlotCount({SlotPlace.BlockName}), {KernelApi.BlockHeader}.Validity({SlotPlace.BlockName}));");
        writer.Line($"while ({Target}.MustRepeat({SlotPlace.BlockName}) && !s.GaveUp);");
        writer.Line($"{Target}.ForgetHidden({SlotPlace.BlockName});");
    }

    private void WriteTargetScan(FilterStage filter, FilterPlan filters)
    {
        filter.WritePasses(marked: Target);
        CodeWriter writer = new();
        KernelMethods.Header(writer);
        using (writer.Open($"private static void Evaluate{suffix}(ref State s, ulong {SlotPlace.BlockName}, int slots, ulong validity)"))
        {
            writer.Line($"{Target}.MarkFalse({SlotPlace.BlockName}, slots, validity);");
            filter.WriteZoneTests(writer);
            filter.WriteBatches(writer, "0", null, body =>
            {
                if (filters.Late.Count > 0)
                    WriteLateMarks(body, filters.Late);
                else
                    WriteTrue(body);
            });
        }

        scope.AddMethod(writer);
    }

    private void WriteTrue(CodeWriter writer)
    {
        using (writer.Open(KernelMethods.SelectionLoop))
        {
            writer.Line(KernelMethods.SelectedSlot);
            writer.Line($"{Target}.Mark({SlotPlace.BlockName}, {SlotPlace.SlotName}, {KernelApi.TargetRows}.True);");
        }
    }

    /// <summary>Conditions that can raise: a row for which they do has no answer, and the plain variant raises it if a row of the scan asks. The loop goes on behind that row.</summary>
    private void WriteLateMarks(CodeWriter writer, IReadOnlyList<ScalarExpression> conditions)
    {
        writer.Line("bool hadGivenUp = s.GaveUp;");
        writer.Line("s.GaveUp = false;");
        writer.Line(KernelMethods.SelectionBounds);
        using (writer.Open("while (next < end)"))
        {
            using (writer.Open("try"))
            using (writer.Open(KernelMethods.RestOfSelectionLoop))
            {
                writer.Line(KernelMethods.SelectedSlot);
                Site site = ValueLocals.LoadShared(scope, conditions, EvaluatedParts.Of(conditions[0]), writer, Site.OfRow(navigation.Variable));
                writer.Line($"bool answer = {new ScalarEmitter(scope, site).Value(Conjunctions.Join(conditions))};");
                writer.Line($"{Target}.MarkUnlessUnknown({SlotPlace.BlockName}, {SlotPlace.SlotName}, answer, ref s.GaveUp);");
            }

            using (writer.Open("catch (global::System.Exception)"))
            {
                writer.Line($"{Target}.Mark({SlotPlace.BlockName}, {KernelApi.KernelMemory}.Read<uint>(next), {KernelApi.TargetRows}.Unknown);");
                writer.Line("s.GaveUp = false;").Line("next += 4;");
            }
        }

        writer.Line("// What does not fit matters only for a row that is asked for.");
        writer.Line("s.GaveUp = hadGivenUp;");
    }
}
