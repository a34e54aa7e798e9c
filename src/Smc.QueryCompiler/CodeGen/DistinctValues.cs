using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// The values that an aggregate over distinct values has taken, with the number of their group: as a set of pairs, where one word is the value and they are only counted, else as records in the order
/// in which they came. Pairs of groups are counted some at a time (<see cref="CountsLater"/>).
/// </summary>
internal sealed class DistinctValues
{
    private const int NumberVariable = int.MinValue;

    private readonly string _seen;
    private readonly string _suffix;
    private readonly ScalarExpression _value;
    private readonly string _region;
    private readonly KeyForm? _word;
    private readonly GroupKeysEmitter? _keys;
    private readonly bool _isGrouped;

    public DistinctValues(KernelScope scope, ScalarExpression value, bool isGrouped, bool isOnlyCounted, string region)
    {
        _isGrouped = isGrouped;
        _value = value;
        _region = region;
        _suffix = scope.Number().ToString(System.Globalization.CultureInfo.InvariantCulture);
        KeyForm form = KeyForm.Of(scope, value, 0, $"k{_suffix}_");
        if (isOnlyCounted && form is { IsOneWord: true, KeptWords: 0, IsNumbered: false })
        {
            _word = form;
            _seen = scope.Field(isGrouped ? KernelApi.DistinctCounts : KernelApi.DistinctSet, "Seen" + _suffix);
            return;
        }

        _seen = scope.Field(KernelApi.GroupRecords, "Seen" + _suffix);
        ScalarExpression[] keys = isGrouped ? [new ValueVariable(PlanType.Int32, NumberVariable, "group"), value] : [value];
        _keys = new GroupKeysEmitter(scope, keys, scan: null, _seen, _suffix, region, scans: []);
        _keys.Prepare(null);
    }

    /// <summary>Writes what precedes the first value.</summary>
    public void Begin(CodeWriter writer)
    {
        if (_keys is null)
        {
            writer.Line($"{_seen} = default;");
            return;
        }

        writer.Line($"{_seen} = new({_keys.Words * 8});");
        _keys.Begin(writer);
    }

    /// <summary>Whether values are noted (<see cref="Note"/>), and counted in their groups' records by <see cref="CountNoted"/>; else each is looked at when it comes.</summary>
    public bool CountsLater => _keys is null && _isGrouped;

    /// <summary>Notes a value.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="site">Where the value is.</param>
    /// <param name="place">Text of the place of the group.</param>
    /// <param name="counts">Text of the groups, and where they have the count.</param>
    public void Note(CodeWriter writer, Site site, string place, string counts)
    {
        _word!.DeclareWords(writer, site, _value);
        writer.Line($"{_seen}.Add({place}, {_word.Local(0)}, {counts}, ref {_region});");
    }

    /// <summary>Writes what brings the counts up to date.</summary>
    public void CountNoted(CodeWriter writer, string counts) => writer.Line($"{_seen}.CountWaiting({counts}, ref {_region});");

    /// <summary>Writes what notes the values of a part.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="places">Text of the places that the groups of the part have.</param>
    /// <param name="counts">Text of the groups, and where they have the count.</param>
    public void NotePart(CodeWriter writer, string places, string counts) => writer.Line($"{_seen}.Take({ScanParts.Of(_seen)}, {places}, {counts}, ref {_region});");

    /// <summary>Opens a block for a value that is new.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="site">Where the value is.</param>
    /// <param name="group">The number of the group, or null.</param>
    public CodeWriter.BlockScope Open(CodeWriter writer, Site site, string? group)
    {
        if (_keys is null)
        {
            _word!.DeclareWords(writer, site, _value);
            return OpenPair(writer, _word.Local(0));
        }

        if (group is not null)
            site = site.With(site.Bindings.WithValue(NumberVariable, new ValuePlace(group, ValueForm.Plain)));
        writer.Line($"int seen{_suffix} = {_seen}.Count;");
        _keys.Find(writer, site, "value" + _suffix);
        return writer.Open($"if ({_seen}.Count != seen{_suffix})");
    }

    /// <summary>Whether the values of a part of a scan are those of the whole.</summary>
    public bool CanMerge => _keys?.CanMerge != false;

    /// <summary>Writes a loop over the values of a part, and what happens to those that are new.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="group">The text of the number that a group of the part has among those of the whole, given its number in the part.</param>
    /// <param name="merge">Writes what happens to a value, given the number of its group and the text of the value, which is not there for values that are only counted.</param>
    public void WriteMerge(CodeWriter writer, Func<string, string> group, Action<CodeWriter, string, string?> merge)
    {
        string added = "distinct" + _suffix, number = "number" + _suffix, place = "place" + _suffix;
        if (_keys is null)
        {
            using (writer.Open($"for (long {number} = 0; {number} < {ScanParts.Of(_seen)}.Places; {number}++)"))
            {
                writer.Line($"if (!{ScanParts.Of(_seen)}.TryGet({number}, out _, out ulong {added}))").Line("    continue;");
                using (OpenPair(writer, added))
                    merge(writer, "0", null);
            }

            return;
        }

        using (writer.Open($"for (int {number} = 0; {number} < {ScanParts.Of(_seen)}.Count; {number}++)"))
        {
            writer.Line($"ulong {added} = {ScanParts.Of(_seen)}.At((uint){number});");
            int first = _isGrouped ? 1 : 0;
            if (_isGrouped)
                writer.Line($"int {place} = {group($"(int){KeyForm.Read(added, 0)}")};");
            writer.Line($"int seen{_suffix} = {_seen}.Count;");
            IEnumerable<string> words = Enumerable.Range(first, _keys.Words - first).Select(word => KeyForm.Read(added, word));
            _keys.FindWords(writer, _isGrouped ? words.Prepend($"(ulong){place}") : words, "value" + _suffix);
            using (writer.Open($"if ({_seen}.Count != seen{_suffix})"))
                merge(writer, place, _keys.Form(first).Value(added));
        }
    }

    private CodeWriter.BlockScope OpenPair(CodeWriter writer, string word) => writer.Open($"if ({_seen}.Add(0, {word}, ref {_region}))");
}
