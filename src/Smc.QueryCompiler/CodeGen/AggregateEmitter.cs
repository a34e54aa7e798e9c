using System.Globalization;
using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Groups and aggregates. Sums of integers and scaled decimals over a scan run on 64-bit integers, whose overflow a bound per block excludes, and are added up in 128 bits;
/// everything else accumulates in the type and the order in which <c>System.Linq.Enumerable</c> does.
/// </summary>
internal sealed partial class AggregateEmitter : ElementConsumer
{
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
            _recordBytes = (_recordBytes + 7) & ~7;
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

    /// <summary>The least or greatest value of a column is that of one row.</summary>
    public override FirstSeek? First => !IsGrouped && _rows is null && _forms.Count == 1
        && _forms[0].Call is { Kind: AggregateKind.Min or AggregateKind.Max, Predicate: null, IsDistinct: false, Selector: { } selector } call
        && FirstSeek.ColumnOf(Scope, _aggregate.Input, selector) is { } column
            ? new FirstSeek(column, "1", IsDescending: call.Kind == AggregateKind.Max, WithTies: false, "s." + RowCount.Field, WriteNothing)
            : null;

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
        AddPlan();
        Prepare(writer);
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
        Aggregate evaluated = _keys is null ? _aggregate : _aggregate with { Keys = new([.. _keys.Evaluated]) };
        site = ValueLocals.LoadShared(Scope, evaluated.Expressions(), EvaluatedParts.Of(evaluated), writer, site);
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

    private void AddPlan()
    {
        if (_keys is not null)
            Scope.Physical.Add(_aggregate, _keys.Plan);
        SumLanes lanes = VectorBatch is null ? SumLanes.One : IsGrouped ? SumLanes.FourOfFewGroups : SumLanes.Four;
        Scope.Physical.Add(_aggregate, new Aggregation(_aggregate.Aggregates, Numbers(form => form.Scaled is not null), lanes, Numbers(form => form.Units is not null), EndsEarly));
        if (_rows is not null)
            Scope.Physical.Add(_aggregate, _rows.Plan(ReadsRowsOfAllGroups));
    }

    private IReadOnlyList<int> Numbers(Func<AggregateForm, bool> which) => [.. Enumerable.Range(0, _forms.Count).Where(i => which(_forms[i]))];

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
        foreach (AggregateForm form in _forms.Where(f => f.Distinct is { CountsLater: true }))
            form.Distinct!.CountNoted(writer, Counts(form));
        bool canGiveUp = false;
        foreach ((AggregateForm form, int index) in _forms.Select((f, i) => (f, i)))
        {
            if (form.Scaled is null || LimitOf(form) is not { } limit)
                continue;
            writer.Line("// LINQ adds with overflow checks: only totals of which no part can have overflowed are taken as they are.");
            writer.Line($"if (s.Reach{Suffix}_{index} >= {limit} && s.HasNegative{Suffix}_{index})").Line("    s.GaveUp = true;");
            canGiveUp = true;
        }

        if (MayLoseScale)
        {
            writer.Line("// Zero times a number of more than 32 bits has no digits after the point: sums of that are left to decimals.");
            writer.Line($"s.GaveUp |= {LosesScale()};");
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
        int alignment = Math.Max(1, Math.Min(bytes, 8));
        _recordBytes = (_recordBytes + alignment - 1) & -alignment;
        Accumulator accumulator = new(type, bytes, IsGrouped ? null : $"a{Suffix}_{_accumulators.Count}", _recordBytes, objects);
        _recordBytes += bytes;
        _accumulators.Add(accumulator);
        return accumulator;
    }
}
