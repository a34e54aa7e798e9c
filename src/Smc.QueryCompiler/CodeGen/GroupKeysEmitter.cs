using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Finds the group of an element: by its value when the key is one integer-like column, by a map of all combinations when the keys are several of them with few values, by dense id when the key is a
/// reference, by hashing otherwise and for what those cannot place.
/// </summary>
internal sealed partial class GroupKeysEmitter
{
    private readonly KernelScope _scope;
    private readonly List<KeyForm> _forms = [];
    private readonly List<ScalarExpression> _keys;
    private readonly List<ColumnRead?> _columns;
    private readonly string _suffix;
    private readonly bool _isScan;
    private readonly bool _isFiltered;
    private readonly bool _hasRuns;
    private readonly string _groups;
    private readonly string _region;
    private readonly ReferencePath? _path;
    private readonly Scan? _integer;

    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="scan">The scan that elements are rows of, if it goes block by block.</param>
    /// <param name="groups">The records of the groups.</param>
    /// <param name="suffix">What names end with.</param>
    /// <param name="region">Where groups are kept.</param>
    /// <param name="scans">The scans that rows of elements come from, whichever way; none where elements are few.</param>
    /// <param name="columns">The columns of scanned rows that hold the keys, where keys are variables.</param>
    public GroupKeysEmitter(
        KernelScope scope, IEnumerable<ScalarExpression> keys, ScanChain? scan, string groups, string suffix, string region, IReadOnlyList<Scan> scans, IEnumerable<ColumnRead?>? columns = null)
    {
        _scope = scope;
        _keys = [.. keys];
        _columns = [.. columns ?? _keys.Select(key => key as ColumnRead)];
        _suffix = suffix;
        _isScan = scan is not null;
        _isFiltered = scan is not { Conditions.Count: 0 };
        _groups = groups;
        _region = region;
        foreach (ScalarExpression key in _keys)
        {
            _forms.Add(KeyForm.Of(scope, key, Words, $"k{suffix}_", isPart: _keys.Count > 1));
            Words += _forms[_forms.Count - 1].Words;
        }

        // Conditions on what a reference leads to take or leave all rows of a run; others leave few neighbours.
        _hasRuns = scan is not null && _keys.Count == 1 && _keys[0] is ColumnRead key0 && (scan.Conditions.Count == 0 || (_forms[0].IsHandle && scan.Conditions.All(condition => ReadsOnly(condition, key0))));
        if (_keys.Count == 1 && _columns[0] is { } column)
            _path = ReferencePath.TryFind(column, scope, scans);
        if (_keys.Count == 1 && HasZoneMaps)
            _integer = scans.FirstOrDefault(s => s.Variable == ((RowVariable)((ColumnRead)_keys[0]).Row).Variable);
    }

    public int Words { get; private set; }

    /// <summary>Whether whole batches of keys can be turned into numbers of combinations: values of a column lie side by side.</summary>
    public bool HasContiguousDomain => _isScan && (IsOneInteger || HasCombinations) && _keys.All(k => KeyForm.StoredColumn(k, _scope.Plan) is { IsContiguous: true });

    /// <summary>How groups are found.</summary>
    public KeySearch Search => new(_keys, IsOneInteger ? _isScan ? KeySearchForm.Values : KeySearchForm.ValuesLater : HasCombinations ? KeySearchForm.Combinations : _path is not null ? KeySearchForm.DenseIds : KeySearchForm.Hash);

    /// <summary>Whether all keys are columns of rows of which zone maps give the values.</summary>
    private bool HasZoneMaps => _keys.All(k => k is ColumnRead { Row: RowVariable } && KeyForm.StoredColumn(k, _scope.Plan) is { HasZoneMap: true });

    /// <summary>Whether the key is one integer, as columns store it, so that its value may lead to the group.</summary>
    private bool IsOneInteger => _integer is not null;

    /// <summary>Whether combinations of keys may have a map.</summary>
    private bool HasCombinations => _isScan && _keys.Count is > 1 and <= 8 && HasZoneMaps;

    private string Integer => "s.Keys" + _suffix;

    private string IntegerZone => $"s.Context{_integer!.Parameter}, {Zone(0)}";

    private string Domain => IsOneInteger ? $"{Integer}.Domain" : "s.Domain" + _suffix;

    private string Numbers => IsOneInteger ? $"{Integer}.Numbers" : "s.Numbers" + _suffix;

    /// <summary>Text that is true when groups are found by a map of combinations.</summary>
    private string IsDirect => $"s.IsDirect{_suffix}";

    /// <summary>Text that is true when whole batches can be turned into numbers of combinations.</summary>
    public string HasIndexes => IsOneInteger ? $"{Integer}.HasIndexes" : $"{IsDirect} && {Domain}.HasIndexes";

    public KeyForm Form(int index) => _forms[index];

    /// <summary>Declares state and writes the methods that find groups.</summary>
    /// <param name="context">Text of the scanned memory context; null when elements come from elsewhere.</param>
    public void Prepare(string? context)
    {
        if (!IsOneInteger)
            _scope.Field(KernelApi.GroupHashTable, "Table" + _suffix);
        if (_isScan)
        {
            for (int i = 0; i < _forms.Count; i++)
                _forms[i].AskForExactWords(context!, _keys[i]);
        }

        if (IsOneInteger)
            PrepareInteger();
        else if (HasCombinations)
            PrepareCombinations(context!);
        else if (_path is not null)
            PrepareReference(_path);
        WriteFind();
    }

    /// <summary>Writes what precedes the first element.</summary>
    public void Begin(CodeWriter writer)
    {
        if (HasWindows && !IsOneInteger)
        {
            (TabularShape shape, ColumnShape column) = new ColumnEmitter(_scope).Find(_path!.OneColumn!);
            writer.Line($"{Windows} = {KernelApi.IndexWindows}.OfScan(s.Context{_path.Scan.Parameter}, {_scope.Layout.Zone(shape, column)}, s.Keys{_suffix}, ref {_region});");
        }

        WriteNothing(writer, "0");
    }

    private void WriteNothing(CodeWriter writer, string first)
    {
        writer.Line(IsOneInteger ? $"{Integer}.Begin(ref {_groups}, {first}, ref {_region});" : $"s.Table{_suffix} = default;");
        foreach (KeyForm form in _forms)
            form.Begin(writer);
        if (_path is null)
            return;
        string indexes = $"s.Keys{_suffix}.Limit, s.Context{_path.Scan.Parameter}.Count, {(_isFiltered ? "true" : "false")}";
        writer.Line($"{_groups}.PlaceByIndex({indexes}, s.Keys{_suffix}, {(HasWindows ? $"ref {Windows}, {first}, " : "")}ref {_region});");
    }

    /// <summary>Writes, before a loop over selected rows, what asks for the groups of those whose reference is the key.</summary>
    public void AskAhead(CodeWriter writer, Site row)
    {
        ColumnRead? read = IsOneInteger ? _columns[0] : _path?.OneColumn;
        if (read is not { Row: RowVariable variable } || !row.Bindings.Rows.TryGetValue(variable.Variable, out RowPlace? place) || place != SlotPlace.Current)
            return;
        (TabularShape shape, ColumnShape column) = new ColumnEmitter(_scope).Find(read);
        string keys = $"{SlotPlace.BlockName} + {_scope.Layout.Offset(shape, column)}, {_scope.Layout.Stride(shape, column)}, s.Selection, count";
        if (IsOneInteger)
            writer.Line($"{Integer}.Ask<{ColumnEmitter.StorageType(column)}>({_groups}, {keys});");
        else
            writer.Line($"{_groups}.Ask<ulong>({keys}, s.Keys{_suffix}.Origin, {KernelApi.TargetRows}.DenseIdShift);");
    }

    /// <inheritdoc cref="ElementConsumer.FindAhead"/>
    public Site FindAhead(CodeWriter writer, Site row)
    {
        if (!_hasRuns || _columns[0] is not { Row: RowVariable variable } read || !row.Bindings.Rows.TryGetValue(variable.Variable, out RowPlace? place) || place != SlotPlace.Current)
            return row;
        (TabularShape shape, ColumnShape column) = new ColumnEmitter(_scope).Find(read);
        if (Words != 1 || !(_forms[0].IsHandle ? column.Storage == StorageKind.Reference : column.Type.Kind == TypeKind.Int64))
            return row;
        using (_scope.Types.Open($"private readonly struct Finder{_suffix} : {KernelApi.IGroupFinder}<State>"))
        {
            KernelMethods.InlineHeader(_scope.Types);
            _scope.Types.Line($"public static ulong Find(ref State s, ulong key) => FindGroup{_suffix}(ref s, key);");
        }

        _scope.Types.Line();
        string found = "batch" + _suffix;
        string keys = $"{SlotPlace.BlockName} + {_scope.Layout.Offset(shape, column)}, {_scope.Layout.Stride(shape, column)}, s.Selection, count";
        writer.Line($"{KernelApi.BatchGroups} {found} = {_groups}.FindAll<Finder{_suffix}, State>(ref s, {keys}, ref {_region});");
        return row.With(row.Bindings.WithBeside(this, $"{found}.At(next)"));
    }

    /// <summary>Declares a local for the group of the element at hand, which is added if it is new.</summary>
    public void Find(CodeWriter writer, Site site, string group)
    {
        if (site.Bindings.Beside.TryGetValue(this, out string? found))
        {
            writer.Line($"ulong {group} = {found};");
            return;
        }

        for (int i = 0; i < _forms.Count; i++)
            _forms[i].DeclareWords(writer, site, _keys[i]);
        writer.Line($"ulong {group} = FindGroup{_suffix}(ref s{string.Concat(_forms.SelectMany(f => Enumerable.Range(f.FirstWord, f.Words).Select(word => ", " + f.Local(word))))});");
    }

    /// <summary>Declares a local for the group whose keys have the given words, which is added if it is new.</summary>
    public void FindWords(CodeWriter writer, IEnumerable<string> words, string group) =>
        writer.Line($"ulong {group} = FindGroup{_suffix}(ref s{string.Concat(words.Select(word => ", " + word))});");

    /// <summary>
    /// Writes the start of a batch: columns to numbers of combinations, those to where the lanes of groups are. Returns false from the method when there are too many groups, or a row has
    /// keys that no row had when the query began.
    /// </summary>
    public void WriteOffsets(CodeWriter writer, int laneBytes)
    {
        string indexes = $"s.Indexes{_suffix}", numbers = Numbers, domain = Domain;
        for (int i = 0; i < _keys.Count; i++)
        {
            (TabularShape shape, ColumnShape column) = Column(i);
            string address = $"{SlotPlace.BlockName} + {_scope.Layout.Offset(shape, column)} + ((ulong)first * {_scope.Layout.Stride(shape, column)})";
            writer.Line($"{KernelApi.KeyIndexes}.Add<{ColumnEmitter.StorageType(column)}>({address}, rows, {indexes}, {domain}, {i});");
        }

        writer.Line($"{KernelApi.KeyIndexes}.Discard(s.Bitmap, rows, {indexes}, {numbers});");
        using (writer.Open($"if (!{KernelApi.KeyIndexes}.TryTranslate({indexes}, rows, {numbers}, {laneBytes}, s.Offsets{_suffix}))"))
        {
            writer.Line($"if (!{KernelApi.KeyIndexes}.TryAddMissing({indexes}, rows, {numbers}, {domain}, {_keys.Count}, ref {_groups}, ref {_region}))").Line("    return false;");
            writer.Line($"if ({_groups}.Count <= {KernelApi.LaneSums}.MaxGroups)");
            writer.Line($"    {KernelApi.KeyIndexes}.TryTranslate({indexes}, rows, {numbers}, {laneBytes}, s.Offsets{_suffix});");
        }

        writer.Line($"if ({_groups}.Count > {KernelApi.LaneSums}.MaxGroups)").Line("    return false;");
    }

    private static bool ReadsOnly(ScalarExpression condition, ColumnRead key) =>
        condition.SelfAndDescendants().OfType<ColumnRead>().Where(read => read.Row is RowVariable).All(key.Equals);

    private string Arguments => string.Concat(Enumerable.Range(0, Words).Select(w => ", " + Parameter(w)));

    private string Parameters => string.Concat(Enumerable.Range(0, Words).Select(w => ", ulong " + Parameter(w)));

    private (TabularShape Shape, ColumnShape Column) Column(int key) => new ColumnEmitter(_scope).Find(_columns[key]!);

    private string Zone(int key)
    {
        (TabularShape shape, ColumnShape column) = Column(key);
        return _scope.Layout.Zone(shape, column);
    }

    private void PrepareInteger()
    {
        _scope.Field(KernelApi.IntegerKeys, "Keys" + _suffix);
        _scope.Setup.Line(_isScan ? $"{Integer} = {KernelApi.IntegerKeys}.OfScan({IntegerZone}, ref s.Region);" : $"{Integer} = {KernelApi.IntegerKeys}.Of({IntegerZone});");
        if (!HasContiguousDomain)
            return;
        DeclareIndexes();
        using (_scope.Setup.Open($"if ({HasIndexes})"))
            WriteIndexes(_scope.Setup);
    }

    private void PrepareCombinations(string context)
    {
        _scope.Field(KernelApi.KeyDomain, "Domain" + _suffix);
        _scope.Field(KernelApi.GroupNumbers, "Numbers" + _suffix);
        _scope.Field("bool", "IsDirect" + _suffix);
        if (HasContiguousDomain)
            DeclareIndexes();
        CodeWriter setup = _scope.Setup;
        setup.Line($"{Domain} = {KernelApi.KeyDomain}.Empty;");
        for (int i = 0; i < _keys.Count; i++)
        {
            _scope.Field("ulong", $"Least{_suffix}_{i}");
            _scope.Field("ulong", $"Span{_suffix}_{i}");
            _scope.Field("ulong", $"Step{_suffix}_{i}");
            setup.Line($"{Domain}.Add({KernelApi.ZoneSpan}.Over({context}, {Zone(i)}));");
            setup.Line($"s.Least{_suffix}_{i} = unchecked((ulong){Domain}.Minimum({i}));");
            setup.Line($"s.Span{_suffix}_{i} = {Domain}.Span({i});");
            setup.Line($"s.Step{_suffix}_{i} = (ulong){Domain}.Step({i});");
        }

        using (setup.Open($"if ({Domain}.IsSmallFor({context}.Count))"))
        {
            setup.Line($"{IsDirect} = true;");
            WriteMaps(setup, $"(ulong){Domain}.Size");
        }
    }

    private void WriteMaps(CodeWriter writer, string size)
    {
        writer.Line($"{Numbers} = {KernelApi.GroupNumbers}.Create(ref s.Region, {size});");
        if (HasContiguousDomain)
            WriteIndexes(writer);
    }

    private void DeclareIndexes()
    {
        _scope.Field("ulong", "Indexes" + _suffix);
        _scope.Field("ulong", "Offsets" + _suffix);
    }

    private void WriteIndexes(CodeWriter writer)
    {
        writer.Line($"s.Indexes{_suffix} = s.Region.Allocate({KernelApi.ScanBatch}.IndexBytes);");
        writer.Line($"s.Offsets{_suffix} = s.Region.Allocate({KernelApi.ScanBatch}.IndexBytes);");
    }

    private void PrepareReference(ReferencePath path)
    {
        _scope.Field(KernelApi.TargetRows, "Keys" + _suffix);
        if (HasWindows)
            _scope.Field(KernelApi.IndexWindows, "Windows" + _suffix);
        _scope.Setup.Line($"s.Keys{_suffix} = {path.Target(_scope)};");
    }

    private void WriteFind()
    {
        CodeWriter writer = _scope.Methods;
        if (IsOneInteger)
        {
            KernelMethods.InlineHeader(writer);
            string isFiltered = _isFiltered ? "true" : "false";
            writer.Line($"private static ulong FindGroup{_suffix}(ref State s{Parameters}) => {Integer}.FindOrAdd(ref {_groups}, {Parameter(0)}, isFiltered: {isFiltered}, ref {_region});").Line();
            return;
        }

        bool isPlaced = HasCombinations || _path is not null;
        if (isPlaced)
        {
            KernelMethods.InlineHeader(writer);
            using (writer.Open($"private static ulong FindGroup{_suffix}(ref State s{Parameters})"))
            {
                if (HasCombinations)
                    WriteFindByCombination(writer);
                else
                    WriteFindAtDenseId(writer);
            }

            writer.Line();
        }

        WriteFindByHash(writer, isPlaced ? "HashGroup" : "FindGroup");
    }

    private void WriteFindByCombination(CodeWriter writer)
    {
        using (writer.Open($"if ({IsDirect})"))
        {
            writer.Line("// Keys that are new since the query began are hashed.");
            string distances = string.Join(", ", _keys.Select((_, i) => $"d{i} = unchecked(k{i} - s.Least{_suffix}_{i})"));
            writer.Line($"ulong {distances};");
            using (writer.Open($"if ({string.Join(" && ", _keys.Select((_, i) => $"d{i} <= s.Span{_suffix}_{i}"))})"))
            {
                writer.Line($"ulong index = {string.Join(" + ", _keys.Select((_, i) => $"(d{i} * s.Step{_suffix}_{i})"))};");
                writer.Line($"uint number = s.Numbers{_suffix}[index];");
                writer.Line($"return number >= {KernelApi.GroupNumbers}.FirstGroup");
                writer.Line($"    ? {_groups}.Place((int)(number - {KernelApi.GroupNumbers}.FirstGroup))");
                writer.Line($"    : {KernelApi.KeyIndexes}.AddGroup(index, s.Numbers{_suffix}, s.Domain{_suffix}, {_keys.Count}, ref {_groups}, ref {_region});");
            }
        }

        writer.Line($"return HashGroup{_suffix}(ref s{Arguments});");
    }

    private void WriteFindAtDenseId(CodeWriter writer)
    {
        writer.Line($"ulong index = {KernelApi.TargetRows}.IndexOf(k0, s.Keys{_suffix}.Origin), group = {_groups}.AtIndex(index), known = {KernelApi.KernelMemory}.Read<ulong>(group);");
        writer.Line("// Hashed: null, rows of other collections, handles whose dense id another one has.");
        writer.Line($"if ({KernelApi.GroupRecords}.IsOtherHandle(known, k0))").Line($"    return {_groups}.TryAdd(index, k0, ref {_region}, out ulong added) ? added : HashGroup{_suffix}(ref s, k0);");
        // Where filters leave few rows for many groups, or many for few, a branch is right nearly always; else which row is the first of its group is hard to predict.
        if (_isFiltered)
            writer.Line("if (known == 0)").Line($"    {_groups}.Claim(index, group, k0, true);");
        else
            writer.Line($"{_groups}.Claim(index, group, k0, known == 0);");
        writer.Line("return group;");
    }

    private void WriteFindByHash(CodeWriter writer, string name)
    {
        if (_forms.Count == 1 && _forms[0].IsOneWord && Words == 1)
        {
            KernelMethods.InlineHeader(writer);
            writer.Line($"private static ulong {name}{_suffix}(ref State s{Parameters}) => s.Table{_suffix}.FindOrAdd(ref {_groups}, {Parameter(0)}, ref {_region});").Line();
            return;
        }

        KernelMethods.Header(writer);
        using (writer.Open($"private static ulong {name}{_suffix}(ref State s{Parameters})"))
        {
            string hash = _forms.SelectMany(f => f.HashedWords(Parameter)).Aggregate("0UL", (left, right) => $"{KernelApi.KeyWords}.Hash({left}, {right})");
            writer.Line($"uint hash = (uint)({hash} >> 32);");
            writer.Line($"ulong position = s.Table{_suffix}.First({KernelApi.KeyWords}.Spread(hash));");
            using (writer.Open("while (true)"))
            {
                using (writer.Open($"if (s.Table{_suffix}.TryCandidate(position, hash, out uint number, out bool isEmpty))"))
                {
                    writer.Line($"ulong group = {_groups}.Place((int)number);");
                    writer.Line($"if ({string.Join(" && ", _forms.Select(f => f.IsEqual(word => KeyForm.Read("group", word), Parameter)).DefaultIfEmpty("true"))})").Line("    return group;");
                }

                writer.Line("if (isEmpty)").Line("    break;");
                writer.Line($"position = s.Table{_suffix}.Next(position);");
            }

            writer.Line($"s.Table{_suffix}.Add(hash, (uint){_groups}.NextPlace, ref {_region});");
            writer.Line($"ulong added = {_groups}.Add(ref {_region});");
            for (int i = 0; i < _forms.Count; i++)
            {
                KeyForm form = _forms[i];
                foreach (int word in Enumerable.Range(form.FirstWord, form.Words))
                    writer.Line($"{KernelApi.KernelMemory}.Write(added + {word * 8}, {form.Keep(word, Parameter(word), _region, _keys[i] is ColumnRead)});");
            }

            writer.Line("return added;");
        }

        writer.Line();
    }

    private static string Parameter(int word) => "k" + word.ToString(System.Globalization.CultureInfo.InvariantCulture);
}
