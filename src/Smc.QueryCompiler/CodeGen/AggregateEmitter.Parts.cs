using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <content>Aggregates of parts of a scan, and how they come together.</content>
internal sealed partial class AggregateEmitter
{
    /// <summary>
    /// Null where the result depends on what was added to what (floating-point sums, folds, overflow checks on the way), and where one element ends the query.
    /// </summary>
    public override ScanParts? Parts => EndsEarly || _keys?.CanMerge == false || !_forms.All(CanMerge) ? null : new ScanParts(BeginPart, MergePart, _keys?.PartBytes ?? "0", _keys?.BeginBlock);

    public override void BeginSerial(CodeWriter writer) => _keys?.BeginSerial(writer);

    public override void AskAhead(CodeWriter writer, Site row) => _keys?.AskAhead(writer, row);

    public override Site FindAhead(CodeWriter writer, Site row) => _keys?.FindAhead(writer, row) ?? row;

    public override IEnumerable<ScalarExpression> DeclareReferences(CodeWriter writer, Site row) => _keys?.DeclareReferences(writer, row) ?? [];

    private static bool CanMerge(AggregateForm form)
    {
        if (form.Scaled is not null)
            return true;
        if (form.Distinct is { } distinct && (!distinct.CanMerge || form.Units is not null))
            return false;
        return form.Call.Kind switch
        {
            AggregateKind.Fold => false,
            AggregateKind.Sum => form.Units is not null || form.Value!.Type == "decimal" || (form.Value.Type is "int" or "long" && IsNeverNegative(form.Call.Selector!)),
            // More than 2³¹ numbers of 32 bits would be needed for an average to overflow.
            AggregateKind.Average => form.Units is not null || form.Value!.Type == "decimal" || (form.Value.Type == "long" && (form.Selected.Kind == TypeKind.Int32 || IsNeverNegative(form.Call.Selector!))),
            _ => true,
        };
    }

    /// <summary>Sums of what is never negative overflow on the way if and only if they do in the end.</summary>
    private static bool IsNeverNegative(ScalarExpression value) => value switch
    {
        Constant { Literal: var literal } => literal.Length > 0 && char.IsDigit(literal[0]),
        Conditional conditional => IsNeverNegative(conditional.IfTrue) && IsNeverNegative(conditional.IfFalse),
        Plan.Convert { Operand.Type: { IsNullable: false, Kind: TypeKind.Byte or TypeKind.UInt16 or TypeKind.Char } } => true,
        _ => false,
    };

    private void BeginPart(CodeWriter writer)
    {
        WriteNothing(writer);
        _keys?.BeginPart(writer);
        if (HasSums && IsGrouped)
        {
            writer.Line($"s.Most{Suffix} = 0;").Line($"s.Wide{Suffix} = default;");
            if (VectorBatch is not null)
                WriteLanes(writer);
        }
        else
        {
            for (int i = 0; i < _sums.Count; i++)
                writer.Line($"s.Total{Suffix}_{i} = 0;");
        }

        foreach (int index in CheckedTotals)
            writer.Line($"s.Reach{Suffix}_{index} = 0;").Line($"s.HasNegative{Suffix}_{index} = false;");
        if (MayLoseScale)
            writer.Line($"s.LosesScale{Suffix} = false;");
    }

    private void MergePart(CodeWriter writer)
    {
        foreach (int index in CheckedTotals)
        {
            writer.Line($"s.Reach{Suffix}_{index} += part.Reach{Suffix}_{index};");
            writer.Line($"s.HasNegative{Suffix}_{index} |= part.HasNegative{Suffix}_{index};");
        }

        if (MayLoseScale)
            writer.Line($"s.LosesScale{Suffix} |= part.LosesScale{Suffix};");
        _rows?.MergeRows(writer);
        if (!IsGrouped)
        {
            for (int i = 0; i < _sums.Count; i++)
                writer.Line($"s.Total{Suffix}_{i} += part.Total{Suffix}_{i};");
            MergeForms(writer, "");
            MergeDistinct(writer);
            return;
        }

        if (HasSums)
        {
            using (writer.Open($"if (s.Most{Suffix} + part.Most{Suffix} >= {KernelApi.Magnitude}.Int64Limit)"))
            {
                writer.Line($"s.Wide{Suffix}.Take({Groups}, {FirstSum}, {_sums.Count}, ref {_region});");
                writer.Line($"s.Most{Suffix} = 0;");
            }

            writer.Line($"s.Most{Suffix} += part.Most{Suffix};");
        }

        if (HasDistinct)
            writer.Line($"ulong places = part.Region.Allocate({ScanParts.Of(Groups)}.NextPlace * (long)sizeof(int));");
        string? takesIndexes = HasObjects ? null : _keys!.TakesIndexes;
        if (takesIndexes is not null)
            writer.Line($"bool takesIndexes = {(HasSums ? $"s.Wide{Suffix}.IsEmpty && part.Wide{Suffix}.IsEmpty && " : "")}{takesIndexes};");
        using (writer.Open($"for (int number = 0; number < {ScanParts.Of(Groups)}.Count; number++)"))
        {
            if (takesIndexes is not null)
            {
                using (writer.Open($"if (takesIndexes && {_keys!.Takes})"))
                {
                    _rows?.MoveGroup(writer, $"{Groups}.At((uint){Groups}.Count - 1)");
                    if (HasDistinct)
                        WriteTaken(writer);
                    writer.Line("continue;");
                }
            }

            writer.Line($"ulong added = {ScanParts.Of(Groups)}.At((uint)number);");
            writer.Line($"int known = {Groups}.Count;");
            _keys!.FindPart(writer, "added", Group);
            if (CanCopy)
            {
                using (writer.Open($"if ({Groups}.Count != known)"))
                    writer.Line($"{KernelApi.KernelMemory}.Copy(added + {FirstSum}, {Group} + {FirstSum}, {AccumulatorBytes});");
                using (writer.Open("else"))
                    MergeAccumulators(writer);
            }
            else
            {
                MergeAccumulators(writer);
            }

            if (HasSums)
                writer.Line($"s.Wide{Suffix}.Add({Groups}, {Groups}.PlaceAt({Group}), {_sums.Count}, part.Wide{Suffix}, {ScanParts.Of(Groups)}.PlaceAt(added), ref {_region});");
            _rows?.MergeGroup(writer, "added", Group);
            if (HasDistinct)
                WritePlace(writer, "added", Group);
        }

        MergeDistinct(writer);
    }

    /// <summary>Whether the accumulators of a group that only a part has are taken as they are: none is a number in a list of the part's, nor counts values that the whole may have.</summary>
    private bool CanCopy => AccumulatorBytes > 0 && !HasDistinct && !HasObjects;

    private bool HasObjects => AllAccumulators.Any(a => a.Objects is not null);

    private int AccumulatorBytes => _recordBytes - FirstSum - (_rows is null ? 0 : GroupRowsEmitter.RecordBytes);

    private void MergeAccumulators(CodeWriter writer)
    {
        for (int i = 0; i < _sums.Count; i++)
            writer.Line(_sumAccumulators[i].Store($"{_sumAccumulators[i].Load(Group)} + {_sumAccumulators[i].LoadPart("added")}", Group));
        MergeForms(writer, "added");
    }

    private bool HasDistinct => _forms.Any(f => f.Distinct is not null);

    /// <summary>Which group of the whole a group of the part is, for the distinct values, which have the numbers of groups.</summary>
    private void WritePlace(CodeWriter writer, string added, string group) =>
        writer.Line($"{KernelApi.KernelMemory}.Write<int>(places + ((ulong){ScanParts.Of(Groups)}.PlaceAt({added}) * sizeof(int)), {Groups}.PlaceAt({group}));");

    /// <summary>A group that stays where it is has taken its distinct values already; they are taken again with those of all groups.</summary>
    private void WriteTaken(CodeWriter writer)
    {
        writer.Line($"ulong taken = {Groups}.At((uint){Groups}.Count - 1);");
        WritePlace(writer, $"{ScanParts.Of(Groups)}.At((uint)number)", "taken");
        foreach (Accumulator accumulator in _forms.Where(f => f.Distinct is not null).SelectMany(f => new[] { f.Value, f.Count }).OfType<Accumulator>())
            writer.Line(accumulator.Store("default", "taken"));
    }

    private void MergeDistinct(CodeWriter writer)
    {
        foreach (AggregateForm form in _forms.Where(f => f.Distinct is not null))
        {
            if (form.Distinct!.CountsLater)
            {
                form.Distinct.NotePart(writer, "places", Counts(form));
                continue;
            }

            form.Distinct.WriteMerge(writer, number => $"{KernelApi.KernelMemory}.Read<int>(places + ((ulong){number} * sizeof(int)))", (body, place, value) =>
            {
                if (IsGrouped)
                    body.Line($"ulong {Group} = {Groups}.Place({place});");
                if (form.Value is null)
                    CountIn(form, body);
                else
                    WriteSelected(form, value!, body);
            });
        }
    }

    private void MergeForms(CodeWriter writer, string added)
    {
        foreach (AggregateForm form in _forms.Where(f => f is { Value: not null, Distinct: null }))
            MergeValue(form, writer, added);
        foreach (Accumulator count in _forms.Where(f => f.Distinct is null).Select(f => f.Count).OfType<Accumulator>().Distinct().Concat(_countsRows ? [RowCount] : []))
            writer.Line(count.Store($"{count.Load(Group)} + {count.LoadPart(added)}", Group));
    }

    private void MergeValue(AggregateForm form, CodeWriter writer, string added)
    {
        Accumulator value = form.Value!, count = form.Count ?? RowCount;
        string before = value.Load(Group), part = value.LoadPart(added);
        string isFirst = $"{count.Load(Group)} == 0", hasAny = $"{count.LoadPart(added)} != 0";
        string statement = form.Call.Kind switch
        {
            AggregateKind.First => $"if ({hasAny} && {isFirst})\n    {value.Store(part, Group)}",
            _ when form.IsRanked => value.Store($"{KernelApi.ExtremeRank}.Greater({before}, {part})", Group),
            AggregateKind.Min => $"if ({hasAny} && ({isFirst} || {KernelApi.AggregateResults}.IsLess({part}, {before})))\n    {value.Store(part, Group)}",
            AggregateKind.Max => $"if ({hasAny} && ({isFirst} || {KernelApi.AggregateResults}.IsGreater({part}, {before})))\n    {value.Store(part, Group)}",
            _ when form.Units is not null => value.Store($"{before} + {part}", Group),
            _ when value.Type == "decimal" => value.Store($"{KernelApi.DecimalSum}.AddPart({before}, {part}, ref s.GaveUp)", Group),
            _ => value.Store($"checked({before} + {part})", Group),
        };
        writer.Lines(statement);
    }

    private IEnumerable<int> CheckedTotals => _forms.Select((form, index) => (form, index)).Where(f => f.form.Scaled is not null && LimitOf(f.form) is not null).Select(f => f.index);
}
