using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Writes a join: elements of the right side go into a table whose chains keep their order, those of the left look theirs up.
/// The table is made first, where LINQ makes it when the first element of the left comes; then scans on the left can test by <see cref="KeyFilters"/> which rows can have a partner.
/// Whether there is a partner, and nothing else, is told by such a filter alone where it is exact.
/// </summary>
internal sealed class JoinEmitter
{
    private readonly KernelScope _scope;
    private readonly Join _join;
    private readonly int _number;
    private readonly JoinKeys _keys;
    private readonly JoinPlanner _planner;
    private readonly bool _isClosed;
    private readonly Dictionary<int, string> _filters = [];

    private TableJoin? _plan;
    private ElementRecord? _built;
    private PartnerSeek? _partners;
    private JoinLink? _link;
    private string _type = "";

    public JoinEmitter(KernelScope scope, Join join)
    {
        _scope = scope;
        _join = join;
        _number = scope.Number();
        _isClosed = PlanReads.IsClosed(new Distinct(join.Right, join.Keys.Select(k => k.Right).ToEquatableArray()));
        _keys = new JoinKeys(scope, join, _number);
        _planner = new JoinPlanner(scope, join, _keys);
    }

    private string Rows => $"s.Built{_number}";

    public void Produce(CodeWriter writer, Site site, ElementConsumer consumer)
    {
        if (_scope.BuiltJoins.Find(built => ReferenceEquals(built._join, _join)) is { } built)
        {
            _scope.BuiltJoins.Remove(built);
            built.ProduceLeft(built._built!, writer, site, consumer);
            return;
        }

        ProduceLeft(Build(writer, site, waiting: [], asked: []), writer, site, consumer);
    }

    private void ProduceLeft(ElementRecord record, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        PartnersAhead ahead = new(_scope, _join, _number, _keys, record);
        JoinProbe probe = new(_scope, _join, _number, _keys, _type, record, PresenceFilter, _partners);
        new OperatorEmitter(_scope).Produce(_join.Left, writer, site, new StepConsumer(consumer, probe.Write, remembers: _keys.AreNumbered, PresenceFilter is null ? ahead.Write : null));
    }

    /// <summary>Writes the statements that make the table.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="site">Where the join is produced.</param>
    /// <param name="waiting">Joins above whose tables are not made yet, as they wait for the keys of this one.</param>
    /// <param name="asked">Filters of its keys that one of these asks for.</param>
    private ElementRecord Build(CodeWriter writer, Site site, IReadOnlyList<JoinEmitter> waiting, IReadOnlyList<JoinFilter> asked)
    {
        bool mayFilter = !_scope.IsPlain && site.IsTop;
        _partners = site.IsTop && _isClosed ? PartnerSeek.TryAdd(_scope, _join, _keys, _number) : null;
        _plan = _planner.Make(mayFilter, asked, _partners?.Columns ?? []);
        _scope.Physical.Add(_join, _plan);
        foreach (JoinFilter filter in _plan.Filters)
        {
            string field = Filter(filter.Key);
            if (filter.Scanned is { } column)
                _scope.KeyFilters.Add(column, field);
        }

        if (mayFilter)
            BuildBelow(writer, site, [.. waiting, this]);
        string region = _isClosed ? "s.Region" : site.Region;
        ElementRecord record = Declare(region);
        _link = new JoinLink(_scope, _keys, _number, [.. TableFilters], region);
        WriteBuild(writer, site with { Region = region }, record);
        return record;
    }

    /// <summary>Where the join below looks up the same key of the left, its table comes first: then its keys filter the right side here, too (l.Part == p and l.Part == s.Part, so p == s.Part).</summary>
    private void BuildBelow(CodeWriter writer, Site site, IReadOnlyList<JoinEmitter> waiting)
    {
        LogicalOperator left = _join.Left;
        while (left is Plan.Filter or Compute)
            left = left.Source!;
        if (_join.Kind != JoinKind.Inner || left is not Join { Kind: JoinKind.Inner } join || waiting.Any(above => above.Reads(join.Right)))
            return;
        for (int i = 0; i < _join.Keys.Count; i++)
        {
            int same = join.Keys.ToList().FindIndex(key => key.Left == _join.Keys[i].Left);
            if (same >= 0 && TryBuildBelow(join, i, same, writer, site, waiting))
                return;
        }
    }

    private bool TryBuildBelow(Join join, int key, int same, CodeWriter writer, Site site, IReadOnlyList<JoinEmitter> waiting)
    {
        JoinEmitter below = new(_scope, join);
        if (!below._isClosed || !below._planner.IsSelective || !_keys.Left[key].IsInteger || !below._keys.Left[same].IsInteger || _scope.KeyFilters.Find(_join.Right, _keys.All[key].Right) is not { } column)
            return false;
        below._built = below.Build(writer, site, waiting, asked: [new JoinFilter(same, column)]);
        _scope.BuiltJoins.Add(below);
        return true;
    }

    /// <summary>Whether keys on the left are of elements that a side of another join passes up: this join's filter may then be for scans there.</summary>
    private bool Reads(LogicalOperator side) => PlanReads.Of(_keys.All.Select(key => key.Left), side).Count > 0;

    private string Filter(int key) => _filters.TryGetValue(key, out string? known) ? known : _filters[key] = _scope.Field(KernelApi.KeyFilter, $"Keys{_number}_{key}");

    /// <summary>The filter that tells alone whether there is a partner; null when rows have to be looked at.</summary>
    private string? PresenceFilter => _plan!.AsksPresence ? Filter(0) : null;

    private ElementRecord Declare(string region)
    {
        HashSet<int> variables = [.. _join.Right.Visible()], groups = [.. _join.Right.VisibleGroups()];
        IEnumerable<(PlanRead Read, ScalarExpression? Expression)> reads = PlanReads.Above(_join, _scope.Reads)
            .Where(r => (r.Read.Kind is ReadKind.Row or ReadKind.Value ? variables : groups).Contains(r.Read.Number))
            .Concat(PlanReads.Of(_join.Residual is { } residual ? [residual] : [], _join.Right));
        ElementRecord record = new(_scope, _join.Right, reads, region, hasNothing: _join.Kind == JoinKind.Left);
        bool isLinkedByLibrary = JoinLink.IsOfLibrary(_keys);
        _type = _scope.Records.Declare("Built", isLinkedByLibrary ? KernelApi.IJoinedRow : null, types =>
        {
            string accessors = isLinkedByLibrary ? " { get; set; }" : ";";
            foreach (int word in _keys.ComparedWords)
                types.Line($"public ulong K{word}{accessors}");
            if (!_keys.IsOneWord)
                types.Line("public uint Hash;");
            types.Line($"public int Next{accessors}");
            record.Declare(types);
        });
        _scope.Field($"{KernelApi.RegionList}<{_type}>", $"Built{_number}");
        _scope.Field(KernelApi.JoinTable, $"Table{_number}");
        return record;
    }

    /// <summary>The right side into the table. Row 0 stands for none.</summary>
    private void WriteBuild(CodeWriter writer, Site site, ElementRecord record)
    {
        // Once for all elements of what is around the join, where it reads nothing of them.
        string? isBuilt = _isClosed && site.IsNested ? _scope.Field("bool", "IsBuilt" + _number) : null;
        if (isBuilt is null)
        {
            WriteBuild();
            return;
        }

        using (writer.Open($"if (!{isBuilt})"))
        {
            writer.Line($"{isBuilt} = true;");
            WriteBuild();
        }

        void WriteBuild()
        {
            writer.Line($"{Rows}.Begin(ref {site.Region});");
            foreach (KeyForm form in _keys.Left)
                form.Begin(writer);
            record.Begin(writer);
            if (_partners is null)
            {
                WriteTable(writer, site, record);
                return;
            }

            _partners.WriteChoice(writer, keepsAll: PresenceFilter is null, _filters.Values);
            using (writer.Open($"if (!{_partners.IsChosen})"))
                WriteTable(writer, site, record);
            _partners.WriteFind((body, at) => WriteRow(body, at, record, site.Region, known: null, follows: PartnerSeek.Partner));
        }
    }

    private void WriteTable(CodeWriter writer, Site site, ElementRecord record)
    {
        string? known = WriteKnownSpan(writer, site.Region);
        // How many rows a condition leaves is not known, and a list that grows is copied.
        Scan? all = !_scope.IsPlain && known is null && _join.Right is Scan right && !_scope.KeyFilters.Of(right.Variable).Any() ? right : null;
        if (all is not null)
            writer.Line($"{Rows}.Reserve(ref {site.Region}, s.Context{all.Parameter}.Count + 1L);");
        new OperatorEmitter(_scope).Produce(_join.Right, writer, site, new EndConsumer((body, at) => WriteRow(body, at, record, site.Region, known), Parts(record, known), vectorBatch: WholeColumn(known)));
        if (known is not null)
            writer.Line($"if (!{known}.IsExact)").Line("    " + _link!.Statement(zones: null));
        else
            writer.Line(_link!.Statement(all is null ? null : Zones(all)));
    }

    /// <summary>Rows of later parts follow those of earlier ones; they are linked when all are there.</summary>
    private ScanParts? Parts(ElementRecord record, string? known) => _keys.AreNumbered ? null : new ScanParts(
        writer =>
        {
            writer.Line($"{Rows}.Begin(ref s.Region);");
            record.Begin(writer);
            if (known is not null)
                writer.Line($"{known} = {known}.WithoutKeys(ref s.Region);");
        },
        writer =>
        {
            record.WriteMerge(writer, Rows, 1, _type);
            if (known is not null)
                writer.Line($"{known}.AddAll({ScanParts.Of(known)});");
        });

    /// <summary>Where only the presence of keys counts and zone maps tell their span, rows are not kept: writes how the filter is made before they are read, and returns it.</summary>
    private string? WriteKnownSpan(CodeWriter writer, string region)
    {
        if (PresenceFilter is not { } filter || ScanChain.TryOf(_join.Right) is not { } chain || Zones(chain.Scan) is not { } zones)
            return null;
        writer.Line($"{filter} = {KernelApi.KeyFilter}.{(_keys.AreRows ? "OverRows" : "Over")}(ref {region}, {zones});");
        return filter;
    }

    /// <summary>Text of the zone maps that the first key has, if it is a column of the scan on the right: its collection, and where blocks have them.</summary>
    private string? Zones(Scan scan)
    {
        if (_keys.All.Count == 0 || _keys.All[0].Right is not ColumnRead { Row: RowVariable row } read || row.Variable != scan.Variable)
            return null;
        (TabularShape shape, ColumnShape column) = new ColumnEmitter(_scope).Find(read);
        // Zone maps have unsigned 64-bit integers in an order of their own.
        return !column.HasZoneMap || (column.Storage == StorageKind.U64 && !_keys.AreRows) ? null : $"s.Context{scan.Parameter}, {_scope.Layout.Zone(shape, column)}";
    }

    /// <summary>The call that adds the keys of a whole batch to the filter, where rows are not kept.</summary>
    private string? WholeColumn(string? known)
    {
        if (known is null)
            return null;
        (TabularShape shape, ColumnShape column) = new ColumnEmitter(_scope).Find((ColumnRead)_keys.All[0].Right);
        return $"{known}.TryAddColumn<{ColumnEmitter.StorageType(column)}>({new ColumnEmitter(_scope).InBlock(shape, column)}, first, rows, s.Bitmap, {(_keys.AreRows ? "true" : "false")}, ref s.GaveUp)";
    }

    private void WriteRow(CodeWriter writer, Site site, ElementRecord record, string region, string? known, string? follows = null)
    {
        for (int i = 0; i < _keys.All.Count; i++)
            _keys.Right[i].DeclareWords(writer, site, _keys.All[i].Right);
        string row = $"row{_number}";
        if (known is not null)
        {
            using (writer.Open($"if ({known}.IsExact)"))
            {
                string key = _keys.Right[0].Local(_keys.Right[0].FirstWord);
                using (writer.Open(_keys.AreRows ? $"if ({key} != 0 && !{known}.TryAddRow({key}))" : $"if (!{known}.TryAdd({key}))"))
                    _scope.GiveUp(writer);
            }

            using (writer.Open("else"))
                WriteAdd();
        }
        else if (_keys.Presence(_keys.Right) is { } present)
        {
            using (writer.Open($"if ({present})"))
                WriteAdd();
        }
        else
        {
            WriteAdd();
        }

        void WriteAdd()
        {
            writer.Line($"{_type} {row} = default;");
            for (int i = 0; i < _keys.All.Count; i++)
            {
                KeyForm form = _keys.Right[i];
                foreach (int word in Enumerable.Range(form.FirstWord, form.ComparedWords))
                    writer.Line($"{row}.K{word} = {form.Keep(word, form.Local(word), region, _keys.All[i].Right is ColumnRead)};");
            }

            if (!_keys.IsOneWord)
                writer.Line($"{row}.Hash = {JoinKeys.Hash(_keys.Right)};");
            record.Fill(writer, site, row);
            if (follows is not null)
                writer.Line($"{row}.Next = {follows};").Line($"{follows} = {Rows}.Count;");
            writer.Line($"{Rows}.Add(ref {region}, {row});");
        }
    }

    /// <summary>The filters that are made of the table.</summary>
    private IEnumerable<KeyValuePair<int, string>> TableFilters => _filters.Where(_ => !_keys.AreRows);
}
