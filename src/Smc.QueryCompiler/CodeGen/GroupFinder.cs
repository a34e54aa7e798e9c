using System.Globalization;
using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Finds the group of an element. Keys that depend on rows which a scanned row refers to are numbers first (<see cref="ReferencedKeys"/>): where all keys come from one referenced row the
/// number is the group, else the numbers, with the other keys, are what groups are found by.
/// </summary>
internal sealed class GroupFinder
{
    /// <summary>Combinations of small numbers are looked up in a map with so many places.</summary>
    private const int MapBits = 16;

    private const int FirstVariable = int.MinValue;

    private readonly KernelScope _scope;
    private readonly string _groups;
    private readonly string _suffix;
    private readonly string _region;
    private readonly List<ReferencedKeys> _referenced = [];
    private readonly List<(int? Referenced, int Position)> _places = [];
    private readonly GroupKeysEmitter? _keys;
    private readonly bool _hasMap;
    private readonly Aggregate _aggregate;

    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="aggregate">The groups.</param>
    /// <param name="scan">The scan that elements come from, if it goes block by block.</param>
    /// <param name="scans">The scans that rows of elements come from, whichever way; none where elements are few.</param>
    /// <param name="groups">The records of the groups.</param>
    /// <param name="suffix">What names end with.</param>
    /// <param name="region">Where groups are kept.</param>
    public GroupFinder(KernelScope scope, Aggregate aggregate, ScanChain? scan, IReadOnlyList<Scan> scans, string groups, string suffix, string region)
    {
        _scope = scope;
        _aggregate = aggregate;
        _groups = groups;
        _suffix = suffix;
        _region = region;
        // A reference as the only key says by its dense id where the group is: what is remembered of the rows on the way to it would save one load, and cost another.
        bool isReference = aggregate.Keys.Count == 1 && ReferencePath.TryFind(aggregate.Keys[0], scope, scans) is not null;
        KeyReference?[] references = [.. aggregate.Keys.Select((key, i) => isReference ? null : KeyReference.TryFind(key, OthersThan(aggregate, i), scope, scans))];
        List<IGrouping<(int, string, int?), int>> rows = [.. Enumerable.Range(0, references.Length).Where(i => references[i] is not null).GroupBy(i => references[i]!.Identity)];
        List<ScalarExpression> rest = [.. aggregate.Keys.Where((_, i) => references[i] is null)];
        bool isOneRow = rows.Count == 1 && rest.Count == 0;
        foreach (IGrouping<(int, string, int?), int> row in rows)
        {
            string own = isOneRow ? suffix : $"{suffix}_{_referenced.Count}";
            string records = isOneRow ? groups : scope.Field(KernelApi.GroupRecords, "Values" + own);
            _referenced.Add(new ReferencedKeys(scope, references[row.First()]!, [.. row.Select(i => aggregate.Keys[i])], records, own, region));
        }

        int other = rows.Count;
        for (int i = 0; i < references.Length; i++)
        {
            int found = rows.FindIndex(row => row.Contains(i));
            _places.Add(found < 0 ? (null, other++) : (found, rows[found].TakeWhile(key => key != i).Count()));
        }

        if (isOneRow)
            return;
        _hasMap = rows.Count is 2 or 3 && rest.Count == 0;
        _keys = new GroupKeysEmitter(scope, [.. rows.Select((_, i) => new ValueVariable(PlanType.Int32, FirstVariable + i, "place" + i)), .. rest], scan, groups, suffix, region, scans);
    }

    /// <summary>How groups are found.</summary>
    public Grouping Plan => new(_keys?.Search, [.. _referenced.Select(row => row.Reference)], _hasMap);

    /// <summary>What is evaluated for each element to find its group: of keys that depend on a referenced row the reference, as the values are known for most rows.</summary>
    public IEnumerable<ScalarExpression> Evaluated => _aggregate.Keys.Where((_, i) => _places[i].Referenced is null).Concat(_referenced.Select(row => row.Reference));

    /// <summary>The words that a group has.</summary>
    public int Words => _keys?.Words ?? _referenced[0].Words;

    /// <summary>Whether what is found depends on nothing but values, so that the scan may go on in another critical section.</summary>
    public bool KeepsOnlyValues => _referenced.Count == 0;

    /// <inheritdoc cref="GroupKeysEmitter.HasContiguousDomain"/>
    public bool HasContiguousDomain => _keys is { HasContiguousDomain: true };

    /// <inheritdoc cref="GroupKeysEmitter.HasIndexes"/>
    public string HasIndexes => _keys!.HasIndexes;

    /// <summary>Whether the keys of a part of a scan are those of the whole.</summary>
    public bool CanMerge => _keys?.CanMerge != false && _referenced.TrueForAll(r => r.CanMerge);

    /// <summary>Text of the bytes that a part of a scan begins with.</summary>
    public string PartBytes => string.Join(" + ", _referenced.Select(r => r.PartBytes).Append(_keys?.PartBytes ?? "0").Where(bytes => bytes != "0").DefaultIfEmpty("0"));

    private string Map => "s.Map" + _suffix;

    /// <summary>Where groups have the handle that a key is; null if they have none.</summary>
    public int? HandleOffset(int key) => _places[key].Referenced is null && _keys!.Form(_places[key].Position) is { IsHandle: true } form ? form.FirstWord * sizeof(ulong) : null;

    /// <summary>The value of a key of a group.</summary>
    public string Value(int key, string group) =>
        _places[key] is (int row, int position) ? _referenced[row].Value(position, Record(row, group)) : _keys!.Form(_places[key].Position).Value(group);

    /// <summary>The word of a key of a group that is a string or a row.</summary>
    public string Bits(int key, string group) =>
        _places[key] is (int row, int position) ? _referenced[row].Bits(position, Record(row, group)) : _keys!.Form(_places[key].Position).Bits(group);

    /// <inheritdoc cref="GroupKeysEmitter.Prepare"/>
    public void Prepare(string? context)
    {
        foreach (ReferencedKeys row in _referenced)
            row.Prepare();
        _keys?.Prepare(context);
        if (!_hasMap)
            return;
        _scope.Field(KernelApi.GroupNumbers, "Map" + _suffix);
        WriteFindByMap(_scope.Methods);
    }

    /// <summary>Writes what precedes the first element, in a state in which there are no groups.</summary>
    public void Begin(CodeWriter writer) => Begin(writer, keys => keys.Begin(writer));

    /// <summary>Writes the statements after which a part of a scan has no groups.</summary>
    public void BeginPart(CodeWriter writer) => Begin(writer, keys => keys.BeginPart(writer));

    /// <inheritdoc cref="GroupKeysEmitter.BeginSerial"/>
    public void BeginSerial(CodeWriter writer) => _keys?.BeginSerial(writer);

    /// <inheritdoc cref="GroupKeysEmitter.BeginBlock"/>
    public Action<CodeWriter>? BeginBlock => _keys?.BeginBlock;

    /// <inheritdoc cref="GroupKeysEmitter.AskAhead"/>
    public void AskAhead(CodeWriter writer, Site row) => _keys?.AskAhead(writer, row);

    /// <inheritdoc cref="ElementConsumer.FindAhead"/>
    public Site FindAhead(CodeWriter writer, Site row) =>
        _keys is null || _referenced.Count > 0 || _aggregate.Keys.Count > 1 || OthersThan(_aggregate, 0).Any(other => other.SelfAndDescendants().Contains(_aggregate.Keys[0])) ? row : _keys.FindAhead(writer, row);

    /// <inheritdoc cref="ElementConsumer.DeclareReferences"/>
    public IEnumerable<ScalarExpression> DeclareReferences(CodeWriter writer, Site row) => [.. _referenced.SelectMany(referenced => referenced.Declare(writer, row))];

    /// <inheritdoc cref="GroupKeysEmitter.TakesIndexes"/>
    public string? TakesIndexes => _keys?.TakesIndexes;

    /// <inheritdoc cref="GroupKeysEmitter.Takes"/>
    public string Takes => _keys!.Takes;

    /// <summary>Declares a local for the group of the element at hand, which is added if it is new.</summary>
    public void Find(CodeWriter writer, Site site, string group)
    {
        for (int i = 0; i < _referenced.Count; i++)
        {
            _referenced[i].Find(writer, site, Place(i));
            site = site.With(site.Bindings.WithValue(FirstVariable + i, new ValuePlace(Place(i), ValueForm.Plain)));
        }

        if (_keys is null)
            writer.Line($"ulong {group} = {_groups}.Place({Place(0)});");
        else if (_hasMap)
            writer.Line($"ulong {group} = FindByMap{_suffix}(ref s, {string.Join(", ", _referenced.Select((_, i) => Place(i)))});");
        else
            _keys.Find(writer, site, group);
    }

    /// <summary>Text of the place of the group that <see cref="Find"/> has found.</summary>
    public string PlaceOf(string group) => _keys is null ? Place(0) : $"{_groups}.PlaceAt({group})";

    /// <summary>Declares a local for the group with the keys of a group of a part of a scan, which is added if it is new.</summary>
    public void FindPart(CodeWriter writer, string part, string group)
    {
        if (_keys is null)
        {
            _referenced[0].FindPart(writer, part, group);
            return;
        }

        for (int i = 0; i < _referenced.Count; i++)
        {
            string from = $"from{_suffix}_{i}", found = $"values{_suffix}_{i}";
            writer.Line($"ulong {from} = {ScanParts.Of(Record(i, part))};");
            _referenced[i].FindPart(writer, from, found);
        }

        IEnumerable<string> places = _referenced.Select((row, i) => $"(ulong){row.Records}.PlaceAt(values{_suffix}_{i})");
        _keys.FindWords(writer, places.Concat(Enumerable.Range(_referenced.Count, Words - _referenced.Count).Select(word => KeyForm.Read(part, word))), group);
    }

    /// <inheritdoc cref="GroupKeysEmitter.WriteOffsets"/>
    public void WriteOffsets(CodeWriter writer, int laneBytes) => _keys!.WriteOffsets(writer, laneBytes);

    private static IEnumerable<ScalarExpression> OthersThan(Aggregate aggregate, int key) =>
        aggregate.Aggregates.SelectMany(call => new[] { call.Predicate, call.Selector, call.First, call.Seed }).OfType<ScalarExpression>().Concat(aggregate.Keys.Where((_, i) => i != key));

    private string Place(int referenced) => $"place{_suffix}_{referenced}";

    /// <summary>The values that a group has of a referenced row.</summary>
    private string Record(int referenced, string group) => _keys is null ? group : $"{_referenced[referenced].Records}.Place((int){KeyForm.Read(group, referenced)})";

    private void Begin(CodeWriter writer, Action<GroupKeysEmitter> beginKeys)
    {
        foreach (ReferencedKeys row in _referenced)
        {
            if (_keys is not null)
                writer.Line($"{row.Records} = new({row.Words * sizeof(ulong)});");
            row.Begin(writer);
        }

        if (_keys is not null)
            beginKeys(_keys);
        if (_hasMap)
            writer.Line($"{Map} = {KernelApi.GroupNumbers}.Create(ref {_region}, {(1 << MapBits).ToString(CultureInfo.InvariantCulture)});");
    }

    private void WriteFindByMap(CodeWriter writer)
    {
        int bits = MapBits / _referenced.Count;
        List<string> places = [.. Enumerable.Range(0, _referenced.Count).Select(i => "place" + i)];
        KernelMethods.InlineHeader(writer);
        using (writer.Open($"private static ulong FindByMap{_suffix}(ref State s{string.Concat(places.Select(place => ", int " + place))})"))
        {
            writer.Line($"if (({string.Join(" | ", places)}) >= {1 << bits})").Line($"    return FindGroup{_suffix}(ref s{string.Concat(places.Select(place => $", (ulong){place}"))});");
            writer.Line($"ulong index = (ulong)({string.Join(" | ", places.Select((place, i) => i == 0 ? place : $"({place} << {bits * i})"))});");
            writer.Line($"uint known = {Map}[index];");
            writer.Line($"if (known >= {KernelApi.GroupNumbers}.FirstGroup)").Line($"    return {_groups}.Place((int)(known - {KernelApi.GroupNumbers}.FirstGroup));");
            writer.Line($"ulong group = FindGroup{_suffix}(ref s{string.Concat(places.Select(place => $", (ulong){place}"))});");
            writer.Line($"{Map}[index] = (uint){_groups}.PlaceAt(group) + {KernelApi.GroupNumbers}.FirstGroup;");
            writer.Line("return group;");
        }

        writer.Line();
    }
}
