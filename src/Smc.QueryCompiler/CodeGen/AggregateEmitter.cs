using System.Globalization;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Groups and aggregates. Sums of integers and scaled decimals over a scan run on 64-bit integers, whose overflow a bound per block excludes, and are added up in 128 bits;
/// everything else accumulates in the type and the order in which <c>System.Linq.Enumerable</c> does.
/// </summary>
internal sealed partial class AggregateEmitter : ElementConsumer
{
    /// <summary><c>LaneSums.MaxLaneBytes</c>: with more sums groups are added to row by row.</summary>
    internal const int MaxLaneBytes = 1024;

    private readonly Aggregate _aggregate;
    private readonly List<ScaledExpression> _sums = [];
    private readonly List<Accumulator> _sumAccumulators = [];
    private readonly List<AggregateForm> _forms = [];
    private readonly List<Accumulator> _accumulators = [];
    private readonly GroupFinder? _keys;
    private readonly GroupRowsEmitter? _rows;
    private readonly bool _countsRows;
    private readonly string _region;
    private readonly ScanChain? _scan;
    private readonly Exit _end;
    private readonly Site _around;
    private int _recordBytes;

    public AggregateEmitter(KernelScope scope, Aggregate aggregate, Site site)
    {
        Scope = scope;
        Suffix = scope.Number().ToString(CultureInfo.InvariantCulture);
        _aggregate = aggregate;
        _region = site.Region;
        _around = site;
        _scan = !scope.IsPlain && site.IsTop ? ScanChain.TryOf(aggregate.Input) : null;
        _end = new Exit(site.Frame, scope.Number());
        if (aggregate.Keys.Count > 0)
        {
            scope.Field(KernelApi.GroupRecords, "Groups" + Suffix);
            _keys = new GroupFinder(scope, aggregate, _scan, scope.IsPlain || !site.IsTop ? [] : [.. aggregate.Input.SelfAndAll().OfType<Scan>()], Groups, Suffix, _region);
        }

        _recordBytes = FirstSum;
        CollectSums();
        _countsRows = _aggregate.Aggregates.Any(NeedsRowCount);
        RowCount = New("long", _countsRows ? 8 : 0);
        if (!_countsRows)
            _accumulators.Clear();
        foreach (AggregateCall call in _aggregate.Aggregates)
            _forms.Add(MakeForm(call));
        if (scope.Plan.Root.SelfAndAll().OfType<GroupRows>().Where(r => r.Group == aggregate.Group).ToList() is { Count: > 0 } readers)
        {
            _rows = new GroupRowsEmitter(scope, aggregate, readers, Suffix, IsGrouped, _recordBytes, _region, _scan);
            _recordBytes += GroupRowsEmitter.RecordBytes;
        }

        scope.Aggregates[aggregate.Group] = this;
    }

    /// <summary>Whether there are groups, not one for everything.</summary>
    public bool HasKeys => IsGrouped;

    private KernelScope Scope { get; }

    private string Suffix { get; }

    private bool IsGrouped => _keys is not null;

    private int FirstSum => (_keys?.Words ?? 0) * 8;

    /// <summary>The rows of the group.</summary>
    private Accumulator RowCount { get; }

    private string Groups => "s.Groups" + Suffix;

    private string Group => "group" + Suffix;

    private bool HasSums => _sums.Count > 0;

    /// <summary>Whether the query ends with the first element that decides it.</summary>
    private bool EndsEarly => !IsGrouped && _rows is null && _forms.Count == 1 && _forms[0].Call.Kind is AggregateKind.Any or AggregateKind.All or AggregateKind.First;

    public string Key(int index, string group) => _keys!.Value(index, group);

    public string KeyBits(int index, string group) => _keys!.Bits(index, group);

    public override bool KeepsOnlyValues => _rows is null && _keys is not { KeepsOnlyValues: false } && _forms.All(f => f.Objects is null && f.Distinct is null)
        && !_aggregate.Keys.Any(k => k.Type.Kind == TypeKind.String) && !_aggregate.Aggregates.Any(a => a.Type.Kind == TypeKind.String);

    /// <summary>Writes the statements that make the groups, and a loop over them.</summary>
    public void Produce(CodeWriter writer, Site site, ElementConsumer consumer)
    {
        KeptElements groups = Collect(writer, site);
        if (!IsGrouped)
        {
            consumer.Element(writer, site.With(site.Bindings.WithGroup(_aggregate.Group, new RecordGroup(this, ""))));
            return;
        }

        new LoopEmitter(Scope).Write(groups, "number" + Suffix + "_", writer, site, consumer);
    }

    /// <summary>Writes the statements that make the groups.</summary>
    public KeptElements Collect(CodeWriter writer, Site site)
    {
        NoteDecisions();
        Prepare(writer);
        using (writer.Open(""))
            new OperatorEmitter(Scope).Produce(_aggregate.Input, writer, site, this);
        _end.WriteLabel(writer);
        Finish(writer, site);
        return new KeptElements($"{Groups}.Count", (body, outer, number) =>
        {
            body.Line($"ulong {Group} = {Groups}.At((uint){number});");
            WritePrefetches(body, number);
            return outer.WithGroup(_aggregate.Group, new RecordGroup(this, Group));
        });
    }

    /// <summary>Writes a loop over the rows of a group.</summary>
    public void ProduceRows(GroupRows rows, CodeWriter writer, Site site, ElementConsumer consumer) =>
        _rows!.Produce(rows, ((RecordGroup)site.Bindings.Groups[rows.Group]).Address, writer, site, consumer);

    public override void BeginLoop(CodeWriter writer)
    {
        if (IsGrouped)
            return;
        foreach (Accumulator accumulator in AllAccumulators)
        {
            writer.Line($"{accumulator.Type} {accumulator.Local} = s.{accumulator.Field};");
            accumulator.IsInLocal = true;
        }
    }

    public override void EndLoop(CodeWriter writer)
    {
        if (IsGrouped)
            return;
        foreach (Accumulator accumulator in AllAccumulators)
        {
            writer.Line($"s.{accumulator.Field} = {accumulator.Local};");
            accumulator.IsInLocal = false;
        }
    }

    public override void Element(CodeWriter writer, Site site)
    {
        site = ValueLocals.LoadShared(Scope, _aggregate.Expressions(), EvaluatedParts.Of(_aggregate), writer, site);
        _keys?.Find(writer, site, Group);
        ScaledEmitter scaled = new(Scope, site);
        for (int i = 0; i < _sums.Count; i++)
        {
            string value = scaled.Row(_sums[i], writer);
            Accumulator sum = _sumAccumulators[i];
            writer.Line(sum.Store($"unchecked({sum.Load(Group)} + {value})", Group));
        }

        if (_countsRows)
            writer.Line(RowCount.Store($"{RowCount.Load(Group)} + 1", Group));
        if (EndsEarly && _forms[0] is { Value: null, Count: null })
            site.Frame.Leave(writer, _end, Scope);
        foreach (AggregateForm form in _forms.Where(f => !f.SharesCount))
            WriteUpdate(form, writer, site);
        foreach (IGrouping<Accumulator, AggregateForm> forms in _forms.Where(f => f.SharesCount).GroupBy(f => f.Count!))
            WriteUpdates([.. forms], writer, site);
        _rows?.Add(writer, site, Group);
    }

    public override void BeginBlock(CodeWriter writer)
    {
        if (_scan is null)
            return;
        if (!HasSums)
            return;
        using (writer.Open($"if (!IsBounded{Suffix}(ref s, {SlotPlace.BlockName}, slots, out double most, out bool isNarrow))"))
            Scope.GiveUp(writer);
        if (!IsGrouped)
            return;
        using (writer.Open($"if (s.Most{Suffix} + most >= {KernelApi.Magnitude}.Int64Limit)"))
        {
            writer.Line($"s.Wide{Suffix}.Take({Groups}, {FirstSum}, {_sums.Count}, ref {_region});");
            writer.Line($"s.Most{Suffix} = 0;");
        }
    }

    public override void EndBlock(CodeWriter writer)
    {
        if (!HasSums)
            return;
        if (VectorBatch is not null && IsGrouped)
            writer.Line($"s.Lanes{Suffix}.MoveTo({Groups}, {FirstSum}, {LaneCount});");
        writer.Line("// A writer may have widened a zone map meanwhile: the sums are right only if the bound still holds.");
        writer.Line($"{KernelApi.KernelMemory}.OrderLoads();");
        string total = IsGrouped ? $"s.Most{Suffix} + mostNow" : "mostNow";
        using (writer.Open($"if (!IsBounded{Suffix}(ref s, {SlotPlace.BlockName}, slots, out double mostNow, out bool isNarrowNow) || isNarrow != isNarrowNow || {total} >= {KernelApi.Magnitude}.Int64Limit)"))
            Scope.GiveUp(writer);
        if (HasCheckedTotals)
            writer.Line($"Account{Suffix}(ref s, {SlotPlace.BlockName}, slots);");
        if (IsGrouped)
        {
            writer.Line($"s.Most{Suffix} += mostNow;");
            return;
        }

        for (int i = 0; i < _sums.Count; i++)
            writer.Line($"s.Total{Suffix}_{i} += s.{_sumAccumulators[i].Field};").Line($"s.{_sumAccumulators[i].Field} = 0;");
    }

    /// <summary>Batches of contiguous columns of which many rows pass are summed four rows at a time, with the others masked out.</summary>
    public override string? VectorBatch
    {
        get
        {
            if (_scan is null || _rows is not null || !HasOnlyVectorSums || (IsGrouped && (!_keys!.HasDomain || LaneBytes > MaxLaneBytes)))
                return null;
            string condition = IsGrouped ? $"isNarrow && {_keys!.HasIndexes}" : "isNarrow";
            return $"{condition} && SumBatch{Suffix}(ref s, {SlotPlace.BlockName}, first, rows)";
        }
    }

    /// <summary>Whether sums are all that is asked for, and none adds up a value that tells the group, too: whole columns are loaded for the one and for the other.</summary>
    private bool HasOnlyVectorSums => HasSums && _forms.All(f => f.Value is null && f.Count is null)
        && _sums.SelectMany(s => s.Columns).All(c => c.Column.IsContiguous && !_aggregate.Keys.Any(key => PlacedReads.Share(key, c.Read)));

    /// <summary>The result of an aggregate, after all rows.</summary>
    public string Result(int index, string group)
    {
        AggregateForm form = _forms[index];
        string count = Final(form.Count ?? RowCount, group);
        string result = form.Call.Kind switch
        {
            AggregateKind.Count => $"{KernelApi.AggregateResults}.ToInt32({count})",
            AggregateKind.LongCount => count,
            AggregateKind.Any => $"({count} != 0)",
            AggregateKind.All => $"({count} == 0)",
            AggregateKind.Sum => SumResult(form, count, group),
            AggregateKind.Average => AverageResult(form, count, group),
            AggregateKind.First => Final(form.Value!, group),
            AggregateKind.Fold => FoldResult(form, count, group),
            _ => ExtremeResult(form, count, group),
        };
        bool isExact = form.Call.Kind is AggregateKind.Any or AggregateKind.All or AggregateKind.First || form.Call.Type.CSharp.Length == 0;
        return isExact ? result : $"(({form.Call.Type.Text})({result}))";
    }

    /// <inheritdoc cref="GroupPlace.NarrowSum"/>
    public (string IsNarrow, string Units, int Scale)? NarrowSum(int index, string group) =>
        IsGrouped && _forms[index] is { Scaled: { } scaled, Call.Kind: AggregateKind.Sum, Selected.Kind: TypeKind.Decimal }
            ? ($"s.Wide{Suffix}.IsEmpty", _sumAccumulators[scaled].Load(group), _sums[scaled].Scale)
            : null;

    private void NoteDecisions()
    {
        Decisions decisions = Scope.Decisions;
        if (_keys is not null)
            decisions.Add(_aggregate, _keys.Describe());
        if (HasSums)
        {
            string lanes = VectorBatch is null ? "" : IsGrouped ? ", four rows at a time where groups are few" : ", four rows at a time";
            decisions.Add(_aggregate, $"{Names(form => form.Scaled is not null)}: 64-bit integers that zone maps bound for each block{lanes}; totals of 128 bits");
        }

        if (_forms.Any(form => form.Units is not null))
            decisions.Add(_aggregate, $"{Names(form => form.Units is not null)}: decimals of known scale as integers");
        if (_rows is not null)
            decisions.Add(_aggregate, ReadsRowsOfAllGroups ? "rows are kept, as they are read again; where they are many, those of a group side by side" : "rows are kept, as they are read again");
        if (EndsEarly)
            decisions.Add(_aggregate, "ends with the first element that decides it");
    }

    private string Names(Func<AggregateForm, bool> which) => string.Join(", ", _forms.Select((form, i) => (form, i)).Where(f => which(f.form)).Select(f => $"$agg{f.i}"));

    private static string Final(Accumulator accumulator, string group) => accumulator.Local is null ? accumulator.Load(group) : "s." + accumulator.Field;

    private void Prepare(CodeWriter writer)
    {
        string? context = _scan is null ? null : $"s.Context{_scan.Scan.Parameter}";
        _keys?.Prepare(context);
        if (!IsGrouped)
        {
            foreach (Accumulator accumulator in AllAccumulators)
                Scope.Field(accumulator.Type, accumulator.Field);
        }

        WriteNothing(writer);
        _keys?.Begin(writer);
        if (HasSums)
            PrepareSums();
    }

    /// <summary>Writes the statements after which no element has been taken.</summary>
    private void WriteNothing(CodeWriter writer)
    {
        if (IsGrouped)
            writer.Line($"{Groups} = new({(_recordBytes + 7) & ~7});");
        else
        {
            foreach (Accumulator accumulator in AllAccumulators)
                writer.Line($"s.{accumulator.Field} = default!;");
        }

        foreach (AggregateForm form in _forms)
        {
            form.Distinct?.Begin(writer);
            if (form.Objects is not null)
                writer.Line($"{form.Objects} = new();");
        }

        _rows?.Begin(writer);
    }

    private void Finish(CodeWriter writer, Site site)
    {
        bool canGiveUp = false;
        foreach ((AggregateForm form, int index) in _forms.Select((f, i) => (f, i)))
        {
            if (form.Scaled is null || LimitOf(form) is not { } limit)
                continue;
            writer.Line("// LINQ adds with overflow checks: only totals of which no part can have overflowed are taken as they are.");
            writer.Line($"if (s.Reach{Suffix}_{index} >= {limit} && s.HasNegative{Suffix}_{index})").Line("    s.GaveUp = true;");
            canGiveUp = true;
        }

        if (canGiveUp)
            Scope.WriteGaveUp(writer, site);
        if (ReadsRowsOfAllGroups)
            _rows!.Arrange(writer, Groups);
    }

    /// <summary>Whether the rows of groups are read again, and nothing between leaves groups out.</summary>
    private bool ReadsRowsOfAllGroups => _rows is not null && IsGrouped && !Scope.IsPlain
        && !Scope.Plan.Root.SelfAndAll().Any(node => node is Filter or TopN or Limit or Skip or While && node.Inputs().Any(input => input.SelfAndInputs().Any(below => ReferenceEquals(below, _aggregate))));

    /// <summary>Reading through the key of a group misses the cache twice, for entry and value; those of later groups are asked for ahead.</summary>
    private void WritePrefetches(CodeWriter writer, string number)
    {
        if (Scope.IsPlain || IsFilteredByAggregates)
            return;
        IEnumerable<ColumnRead> reads = Scope.Plan.Root.SelfAndAll().SelectMany(node => node is Filter or Order or TopN ? node.Expressions() : [])
            .SelectMany(e => e.SelfAndDescendants()).OfType<ColumnRead>()
            .Where(r => r.Row is KeyRead { Type.Kind: TypeKind.Tabular } key && key.Group == _aggregate.Group);
        foreach (ColumnRead read in reads.Distinct())
        {
            if (_keys!.HandleOffset(((KeyRead)read.Row).Index) is not { } handle)
                continue;
            (TabularShape shape, ColumnShape column) = new ColumnEmitter(Scope).Find(read);
            writer.Line($"{Groups}.PrefetchRow({number} + {KernelApi.GroupRecords}.Ahead, {handle}, {Scope.Layout.Offset(shape, column)}, {Scope.Layout.Stride(shape, column)});");
        }
    }

    /// <summary>Whether a condition on the groups that does not ask for rows behind keys comes first, so that few groups may be left for which one does.</summary>
    private bool IsFilteredByAggregates => Scope.Plan.Root.SelfAndAll().OfType<Filter>()
        .Any(filter => filter.Input == _aggregate && !filter.Predicate.SelfAndDescendants().Any(part => part is ColumnRead { Row: KeyRead }));

    private IEnumerable<Accumulator> AllAccumulators => _sumAccumulators.Concat(_accumulators);

    private Accumulator New(string type, int bytes, string? objects = null)
    {
        Accumulator accumulator = new(type, bytes, IsGrouped ? null : $"a{Suffix}_{_accumulators.Count}", _recordBytes, objects);
        _recordBytes += (bytes + 7) & ~7;
        _accumulators.Add(accumulator);
        return accumulator;
    }

    private void CollectSums()
    {
        foreach (AggregateCall call in _aggregate.Aggregates)
        {
            if (TryScale(call) is { } sum && !_sums.Contains(sum))
            {
                _sumAccumulators.Add(new Accumulator("long", 8, IsGrouped ? null : $"a{Suffix}_sum{_sums.Count}", FirstSum + (_sums.Count * 8), null));
                _sums.Add(sum);
            }
        }

        _recordBytes += _sums.Count * 8;
    }

    private ScaledExpression? TryScale(AggregateCall call)
    {
        if (_scan is null || call.Predicate is not null || call.IsDistinct || call.Kind is not (AggregateKind.Sum or AggregateKind.Average))
            return null;
        return call.Selector!.Type.Kind is TypeKind.Int32 or TypeKind.Int64 or TypeKind.Decimal ? ScaledExpression.TryBuild(call.Selector, Scope.Plan) : null;
    }

    /// <summary>Whether an aggregate asks for the number of rows; sums ask only whether there are any, and a group always has some.</summary>
    private bool NeedsRowCount(AggregateCall call) =>
        !CountsItself(call) && (call.Kind != AggregateKind.Sum || !IsGrouped);

    /// <summary>Whether an aggregate takes only some of the rows.</summary>
    private static bool CountsItself(AggregateCall call) => call.Predicate is not null || call.IsDistinct
        || (call.Selector is { } selector && call.Kind is not (AggregateKind.First or AggregateKind.Fold) && (selector.Type.IsNullable || selector.Type.IsReferenceType));

    private AggregateForm MakeForm(AggregateCall call)
    {
        if (TryScale(call) is { } sum)
            return new AggregateForm(call, _sums.IndexOf(sum), null, null);
        DistinctValues? distinct = call.IsDistinct ? new DistinctValues(Scope, call.Selector!, IsGrouped, _region) : null;
        bool isCount = call.Kind is AggregateKind.Count or AggregateKind.LongCount or AggregateKind.Any or AggregateKind.All;
        (Accumulator? count, bool isShared) = CountOf(call);
        if (isCount)
            return new AggregateForm(call, null, null, count, Distinct: distinct, SharesCount: isShared);
        if (UnitsOf(call) is { } units)
            return new AggregateForm(call, null, call.Kind is AggregateKind.Min or AggregateKind.Max ? New("long", 8) : New("global::System.Int128", 16), count, Distinct: distinct, Units: units, SharesCount: isShared);
        PlanType type = AccumulatedType(call);
        string? objects = IsGrouped && !ScalarTraits.IsUnmanaged(type) && type is not { Kind: TypeKind.Tabular, IsNullable: false } ? Scope.Objects(type) : null;
        Accumulator value = New(type.Text, SizeOf(type), objects);
        if (IsExactSum(call, value))
            Scope.CanGiveUp = true;
        return new AggregateForm(call, null, value, count, objects, distinct, SharesCount: isShared);
    }

    /// <summary>What counts the values that an aggregate has taken, and whether others count with it: those with the same condition that take all rows which pass.</summary>
    private (Accumulator? Count, bool IsShared) CountOf(AggregateCall call)
    {
        if (!CountsItself(call))
            return (null, false);
        if (!TakesAllThatPass(call) || _aggregate.Aggregates.Count(other => TakesAllThatPass(other) && other.Predicate!.Equals(call.Predicate)) < 2)
            return (New("long", 8), false);
        AggregateForm? first = _forms.Find(f => f.SharesCount && f.Call.Predicate!.Equals(call.Predicate));
        return (first?.Count ?? New("long", 8), true);
    }

    private static bool TakesAllThatPass(AggregateCall call) => call is { Predicate: { } predicate, IsDistinct: false, Kind: not (AggregateKind.All or AggregateKind.Fold or AggregateKind.First) }
        && call.Selector is not { Type: { IsNullable: true } or { IsReferenceType: true } } && Purity.IsPure(predicate);

    /// <summary>The digits after the point of decimals that are taken as 64-bit integers; null for other values, and where their scale is not known.</summary>
    private int? UnitsOf(AggregateCall call) =>
        Scope.MayGiveUp && call is { Kind: AggregateKind.Sum or AggregateKind.Average or AggregateKind.Min or AggregateKind.Max, Selector.Type: { Kind: TypeKind.Decimal, IsNullable: false } }
            ? ScaledExpression.TryBuildOfRow(call.Selector, Scope.Plan, ScaleOf)?.Scale
            : null;

    /// <summary>The scale of a decimal that is computed for the element at hand right before the aggregate takes it, and so is held as an integer (<see cref="ValueLocals.Declare"/>).</summary>
    private int? ScaleOf(ValueVariable variable)
    {
        if (!_around.IsTop)
            return null;
        for (LogicalOperator node = _aggregate.Input; node is Filter or Compute; node = node.Source!)
        {
            if (node is Compute compute && compute.Bindings.FirstOrDefault(binding => binding.Variable == variable.Variable) is { } found)
                return ScaledExpression.TryBuildOfRow(found.Value, Scope.Plan, ScaleOf) is { } scaled and not ScaledConstant ? scaled.Scale : null;
        }

        return null;
    }

    /// <summary>Whether the fast variant sums decimals, and gives up when a sum becomes so large that its order may matter.</summary>
    private bool IsExactSum(AggregateCall call, Accumulator value) => !Scope.IsPlain && value.Type == "decimal" && call.Kind is AggregateKind.Sum or AggregateKind.Average;

    private static PlanType AccumulatedType(AggregateCall call)
    {
        PlanType selected = call.Selector!.Type;
        if (call.Kind is AggregateKind.First or AggregateKind.Fold)
            return selected;
        if (call.Kind is AggregateKind.Min or AggregateKind.Max)
            return selected.IsReferenceType ? selected : selected.AsNonNullable();
        if (ScalarTraits.IsFloating(selected.Kind))
            return PlanType.Double;
        return selected.Kind == TypeKind.Decimal ? PlanType.Decimal : selected.Kind == TypeKind.Int32 && call.Kind == AggregateKind.Sum ? PlanType.Int32 : PlanType.Int64;
    }

    private static int SizeOf(PlanType type)
    {
        int value = type.Kind is TypeKind.Decimal or TypeKind.Guid or TypeKind.Int128 or TypeKind.UInt128 or TypeKind.DateTimeOffset ? 16 : 8;
        return type.IsNullable ? value + 16 : value;
    }

    /// <summary>Aggregates with one condition, which is tested once.</summary>
    private void WriteUpdates(List<AggregateForm> forms, CodeWriter writer, Site site)
    {
        using (writer.Open($"if ({new ScalarEmitter(Scope, site).Value(forms[0].Call.Predicate!)})"))
        {
            foreach (AggregateForm form in forms)
                WriteValue(form, writer, site);
            Count(forms[0].Count!, writer);
        }
    }

    private void WriteUpdate(AggregateForm form, CodeWriter writer, Site site)
    {
        if (form.Scaled is not null || (form.Value is null && form.Count is null))
            return;
        if (form.Call.Predicate is not { } predicate)
        {
            WriteDistinct(form, writer, site);
            return;
        }

        string test = new ScalarEmitter(Scope, site).Value(predicate);
        using (writer.Open(form.Call.Kind == AggregateKind.All ? $"if (!({test}))" : $"if ({test})"))
            WriteDistinct(form, writer, site);
    }

    private void WriteDistinct(AggregateForm form, CodeWriter writer, Site site)
    {
        if (form.Distinct is not { } distinct)
        {
            WriteValue(form, writer, site);
            return;
        }

        using (distinct.Open(writer, site, IsGrouped ? $"{Groups}.PlaceAt({Group})" : null))
            WriteValue(form, writer, site);
    }

    private void WriteValue(AggregateForm form, CodeWriter writer, Site site)
    {
        if (form.Value is null)
        {
            CountIn(form, writer);
            if (EndsEarly)
                site.Frame.Leave(writer, _end, Scope);
            return;
        }

        string count = (form.Count ?? RowCount).Load(Group), isFirst = form.Count is null ? $"{count} == 1" : $"{count} == 0";
        if (form.Call.Kind == AggregateKind.First)
        {
            using (writer.Open($"if ({isFirst})"))
            {
                writer.Line(form.Value.Store(new ScalarEmitter(Scope, site).Value(form.Call.Selector!), Group));
                CountIn(form, writer);
                if (EndsEarly)
                    site.Frame.Leave(writer, _end, Scope);
            }

            return;
        }

        if (form.Call.Kind == AggregateKind.Fold)
        {
            WriteFold(form, writer, site, isFirst);
            return;
        }

        string name = "value" + Scope.Number();
        ScalarEmitter emitter = new(Scope, site);
        if (form.Units is { } scale)
        {
            writer.Line($"long {name} = {emitter.Units(form.Call.Selector!, scale)};");
            Accumulate(form, name, isFirst, writer);
            return;
        }

        string value = emitter.Value(form.Call.Selector!);
        if (!form.Selected.IsNullable && !form.Selected.IsReferenceType)
        {
            writer.Line($"{form.Selected.Text} {name} = {value};");
            Accumulate(form, name, isFirst, writer);
            return;
        }

        using (writer.Open($"if ({value} is {{ }} {name})"))
            Accumulate(form, name, isFirst, writer);
    }

    private void CountIn(AggregateForm form, CodeWriter writer)
    {
        if (form.Count is not null && !form.SharesCount)
            Count(form.Count, writer);
    }

    private void Count(Accumulator count, CodeWriter writer) => writer.Line(count.Store($"{count.Load(Group)} + 1", Group));

    private void WriteFold(AggregateForm form, CodeWriter writer, Site site, string isFirst)
    {
        string name = "folded" + Scope.Number(), type = form.Selected.Text;
        string current = form.Value!.Load(Group);
        Site inside = site.With(site.Bindings.WithValue(form.Call.Accumulator, new ValuePlace(name, ValueForm.Plain)));
        string next = new ScalarEmitter(Scope, inside).Value(form.Call.Selector!);
        if (form.Call.Seed is { } seed)
        {
            writer.Line($"{type} {name} = {isFirst} ? {new ScalarEmitter(Scope, site).Value(seed)} : {current};");
            writer.Line(form.Value.Store(next, Group));
        }
        else
        {
            using (writer.Open($"if ({isFirst})"))
                writer.Line(form.Value.Store(new ScalarEmitter(Scope, site).Value(form.Call.First!), Group));
            using (writer.Open("else"))
            {
                writer.Line($"{type} {name} = {current};");
                writer.Line(form.Value.Store(next, Group));
            }
        }

        CountIn(form, writer);
    }

    private void Accumulate(AggregateForm form, string value, string isFirst, CodeWriter writer)
    {
        Accumulator target = form.Value!;
        string current = target.Load(Group);
        if (form.Call.Kind is AggregateKind.Min or AggregateKind.Max)
            writer.Line($"if ({isFirst} || {KernelApi.AggregateResults}.Is{(form.Call.Kind == AggregateKind.Min ? "Less" : "Greater")}({value}, {current}))").Line("    " + target.Store(value, Group));
        else if (form.Units is not null)
            writer.Line(target.Store($"{current} + {value}", Group));
        else if (target.Type is "int" or "long")
            writer.Line(target.Store($"checked({current} + {value})", Group));
        else if (IsExactSum(form.Call, target))
            writer.Line(target.Store($"{KernelApi.DecimalSum}.Add({current}, {value}, ref s.GaveUp)", Group));
        else if (form.Call.Kind == AggregateKind.Average)
            // From the first value on, as LINQ does: zero and a negative zero would be zero.
            writer.Line(target.Store($"{isFirst} ? {value} : {current} + ({target.Type}){value}", Group));
        else
            writer.Line(target.Store($"{current} + ({target.Type}){value}", Group));
        CountIn(form, writer);
    }

    private void PrepareSums()
    {
        if (IsGrouped)
        {
            Scope.Field("double", "Most" + Suffix);
            Scope.Field(KernelApi.WideTotals, "Wide" + Suffix);
        }
        else
        {
            for (int i = 0; i < _sums.Count; i++)
                Scope.Field("global::System.Int128", $"Total{Suffix}_{i}");
        }

        foreach ((AggregateForm form, int index) in _forms.Select((f, i) => (f, i)))
        {
            if (form.Scaled is null || LimitOf(form) is null)
                continue;
            Scope.Field("double", $"Reach{Suffix}_{index}");
            Scope.Field("bool", $"HasNegative{Suffix}_{index}");
        }

        WriteBoundMethod();
        if (HasCheckedTotals)
            WriteAccountMethod();
        if (VectorBatch is not null && IsGrouped)
        {
            Scope.Field(KernelApi.LaneSums, "Lanes" + Suffix);
            WriteLanes(Scope.Setup);
            WriteGroupedVectorMethod();
        }
        else if (VectorBatch is not null)
        {
            WriteVectorMethod();
        }
    }

    private void WriteLanes(CodeWriter writer) => writer.Line($"s.Lanes{Suffix} = {KernelApi.LaneSums}.Create(ref s.Region, {LaneBytes});");

    /// <summary>Sums, and the number of rows after them where it is asked for.</summary>
    private int LaneCount => _sums.Count + (_countsRows ? 1 : 0);

    private int LaneBytes => ((LaneCount * 8) + 31) & ~31;

    /// <summary>The least total at which C#'s checked addition may overflow; null for decimals, which 64 bits per block cannot take that far.</summary>
    private static string? LimitOf(AggregateForm form) => form.Selected.Kind switch
    {
        TypeKind.Int32 when form.Call.Kind == AggregateKind.Sum => KernelApi.Magnitude + ".Int32Limit",
        TypeKind.Int32 or TypeKind.Int64 => KernelApi.Magnitude + ".Int64Limit",
        _ => null,
    };

    /// <summary>Proves from the zone maps of a block that no sum over its rows, and no part of one, leaves 64 bits or the type that C# computes it in.</summary>
    private void WriteBoundMethod()
    {
        CodeWriter writer = Scope.Methods;
        ScaledEmitter emitter = new(Scope);
        using (writer.Open($"private static bool IsBounded{Suffix}(ref State s, ulong {SlotPlace.BlockName}, int slots, out double most, out bool isNarrow)"))
        {
            List<string> bounds = [.. _sums.Select(sum => emitter.Bound(sum, writer))];
            writer.Line($"most = {bounds.Aggregate((a, b) => $"global::System.Math.Max({a}, {b})")} * slots;");
            List<ScaledExpression> parts = [.. _sums.SelectMany(s => s.Parts).OfType<ScaledOperation>().Distinct()];
            IEnumerable<string> narrow = parts.OfType<ScaledOperation>().Where(o => o.Operator == BinaryOperator.Multiply)
                .SelectMany(o => new[] { o.Left, o.Right }).Where(o => o is not ScaledConstant { Units: < int.MaxValue and > int.MinValue }).Distinct()
                .Select(o => $"{emitter.Bound(o, writer)} < {KernelApi.Magnitude}.Int32Limit");
            writer.Line($"isNarrow = {And(narrow)};");
            IEnumerable<string> limits = parts
                .Select(p => $"{emitter.Bound(p, writer)} < {KernelApi.Magnitude}.{(p.Kind == TypeKind.Int32 ? "Int32Limit" : "Int64Limit")}")
                .Concat([$"most < {KernelApi.Magnitude}.Int64Limit"]);
            writer.Line($"return {And(limits)};");
        }

        writer.Line();
    }

    /// <summary>Whether C# adds some of the sums with overflow checks, so that how far their parts can have reached is kept.</summary>
    private bool HasCheckedTotals => _forms.Any(f => f.Scaled is not null && LimitOf(f) is not null);

    private void WriteAccountMethod()
    {
        CodeWriter writer = Scope.Methods;
        using (writer.Open($"private static void Account{Suffix}(ref State s, ulong {SlotPlace.BlockName}, int slots)"))
        {
            ScaledEmitter emitter = new(Scope);
            foreach ((AggregateForm form, int index) in _forms.Select((f, i) => (f, i)))
            {
                if (form.Scaled is not { } scaled || LimitOf(form) is null)
                    continue;
                writer.Line($"s.Reach{Suffix}_{index} += {emitter.Bound(_sums[scaled], writer)} * slots;");
                writer.Line($"s.HasNegative{Suffix}_{index} |= !({emitter.IsNeverNegative(_sums[scaled])});");
            }
        }

        writer.Line();
    }

    private static string And(IEnumerable<string> tests)
    {
        List<string> all = [.. tests.Distinct()];
        return all.Count == 0 ? "true" : string.Join(" && ", all);
    }

    /// <summary>A batch of which few rows are left is selected row by row; one without any is done.</summary>
    private static void WriteFewTest(CodeWriter writer)
    {
        writer.Line($"int left = {KernelApi.RowBitmap}.Count(s.Bitmap, rows);");
        writer.Line("if (left < rows / 4)").Line("    return left == 0;");
    }

    private void WriteVectorMethod()
    {
        CodeWriter writer = Scope.Methods;
        KernelMethods.Header(writer);
        using (writer.Open($"private static bool SumBatch{Suffix}(ref State s, ulong {SlotPlace.BlockName}, int first, int rows)"))
        {
            WriteFewTest(writer);
            ScaledEmitter emitter = new(Scope);
            emitter.DeclareVectors(_sums, writer);
            for (int i = 0; i < _sums.Count; i++)
                writer.Line($"global::System.Runtime.Intrinsics.Vector256<long> sum{i} = default;");
            using (writer.Open("for (ulong i = 0; i < (ulong)rows; i += 4)"))
            {
                writer.Line($"global::System.Runtime.Intrinsics.Vector256<long> mask = {KernelApi.KernelMemory}.LaneMask(s.Bitmap, i);");
                for (int i = 0; i < _sums.Count; i++)
                    writer.Line($"sum{i} += {emitter.Vector(_sums[i], writer)} & mask;");
            }

            for (int i = 0; i < _sums.Count; i++)
                writer.Line($"s.{_sumAccumulators[i].Field} += global::System.Runtime.Intrinsics.Vector256.Sum(sum{i});");
            if (_countsRows)
                writer.Line($"s.{RowCount.Field} += left;");
            writer.Line("return true;");
        }

        writer.Line();
    }

    private void WriteGroupedVectorMethod()
    {
        CodeWriter writer = Scope.Methods;
        KernelMethods.Header(writer);
        using (writer.Open($"private static bool SumBatch{Suffix}(ref State s, ulong {SlotPlace.BlockName}, int first, int rows)"))
        {
            WriteFewTest(writer);
            _keys!.WriteOffsets(writer, LaneBytes);
            ScaledEmitter emitter = new(Scope);
            emitter.DeclareVectors(_sums, writer);
            writer.Line("global::System.Runtime.Intrinsics.Vector256<long> one = global::System.Runtime.Intrinsics.Vector256.Create(1L), none = default;");
            writer.Line($"ulong lanes0 = s.Lanes{Suffix}.Address, lanes1 = lanes0 + s.Lanes{Suffix}.CopyBytes, lanes2 = lanes1 + s.Lanes{Suffix}.CopyBytes, lanes3 = lanes2 + s.Lanes{Suffix}.CopyBytes;");
            using (writer.Open($"for (ulong i = 0, offsets = s.Offsets{Suffix}; i < (ulong)rows; i += 4, offsets += 8)"))
            {
                List<string> values = [.. _sums.Select(sum => emitter.Vector(sum, writer))];
                if (_countsRows)
                    values.Add("one");
                for (int row = 0; row < 4; row++)
                    writer.Line($"ulong row{row} = lanes{row} + {KernelApi.KernelMemory}.Read<ushort>(offsets{(row == 0 ? "" : " + " + (row * 2))});");
                for (int lane = 0; lane < values.Count; lane += 4)
                    WriteLanes(writer, values, lane);
            }

            writer.Line("return true;");
        }

        writer.Line();
    }

    private static void WriteLanes(CodeWriter writer, List<string> values, int lane)
    {
        string offset = lane == 0 ? "" : " + " + (lane * 8).ToString(CultureInfo.InvariantCulture);
        string rows = string.Join(", ", Enumerable.Range(0, 4).Select(row => $"row{row}{offset}"));
        int count = Math.Min(4, values.Count - lane);
        List<string> lanes = values.GetRange(lane, count);
        while (lanes.Count is 1 or 3)
            lanes.Add("none");
        writer.Line($"{KernelApi.LaneSums}.Add({rows}, {string.Join(", ", lanes)});");
    }

    private string Total(AggregateForm form, string group) => IsGrouped
        ? $"s.Wide{Suffix}.Total({Groups}, {group}, {FirstSum}, {_sums.Count}, {form.Scaled})"
        : $"s.Total{Suffix}_{form.Scaled}";

    private string SumResult(AggregateForm form, string count, string group)
    {
        if (form.Scaled is { } scaled)
        {
            return form.Selected.Kind switch
            {
                TypeKind.Decimal => $"{(IsGrouped ? "" : count + " == 0 ? 0m : ")}{KernelApi.ScaledTotal}.ToDecimal({Total(form, group)}, {_sums[scaled].Scale})",
                TypeKind.Int32 => $"{KernelApi.AggregateResults}.ToInt32({Total(form, group)})",
                _ => $"{KernelApi.AggregateResults}.ToInt64({Total(form, group)})",
            };
        }

        if (form.Units is not null)
            return form.Count is null && IsGrouped ? Taken(form, group) : $"{count} == 0 ? 0m : {Taken(form, group)}";
        return form.Selected.Kind == TypeKind.Single ? $"(float){Final(form.Value!, group)}" : Final(form.Value!, group);
    }

    /// <summary>What an aggregate has taken, of the type of its values.</summary>
    private static string Taken(AggregateForm form, string group) => (form.Units, form.Call.Kind) switch
    {
        (null, _) => Final(form.Value!, group),
        (int scale, AggregateKind.Min or AggregateKind.Max) => $"{KernelApi.ColumnValue}.Decimal({Final(form.Value!, group)}, {scale})",
        (int scale, _) => $"{KernelApi.ScaledTotal}.ToDecimal({Final(form.Value!, group)}, {scale})",
    };

    private string AverageResult(AggregateForm form, string count, string group)
    {
        string sum = form.Scaled switch
        {
            { } scaled when form.Selected.Kind == TypeKind.Decimal => $"{KernelApi.ScaledTotal}.ToDecimal({Total(form, group)}, {_sums[scaled].Scale})",
            { } => $"(double){KernelApi.AggregateResults}.ToInt64({Total(form, group)})",
            null => form.Selected.Kind == TypeKind.Decimal ? Taken(form, group) : $"(double){Final(form.Value!, group)}",
        };
        return WhenEmpty(form, count, $"({(form.Selected.Kind == TypeKind.Single ? "float" : form.Selected.Kind == TypeKind.Decimal ? "decimal" : "double")})({sum} / {count})");
    }

    private string ExtremeResult(AggregateForm form, string count, string group) => WhenEmpty(form, count, Taken(form, group));

    private string FoldResult(AggregateForm form, string count, string group)
    {
        if (IsGrouped && form.Count is null)
            return Final(form.Value!, group);
        string seed = form.Call.Seed is { } value ? new ScalarEmitter(Scope, _around).Value(value) : $"throw {KernelApi.AggregateResults}.NoElements()";
        return $"{count} == 0 ? {seed} : {Final(form.Value!, group)}";
    }

    /// <summary>No values: null for what can be null, else what LINQ raises.</summary>
    private string WhenEmpty(AggregateForm form, string count, string result) => form.Selected.IsNullable || form.Selected.IsReferenceType
        ? $"{count} == 0 ? default({form.Call.Type.Text}) : ({form.Call.Type.Text})({result})"
        : $"{count} == 0 ? throw {KernelApi.AggregateResults}.NoElements() : {result}";
}
