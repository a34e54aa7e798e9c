using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// The keys of a group that depend on one referenced row: they are evaluated once for each referenced row, and numbered. The number is the place of their values among all that
/// were found; it is remembered by dense id.
/// </summary>
internal sealed class ReferencedKeys
{
    private readonly KernelScope _scope;
    private readonly KeyReference _reference;
    private readonly string _context;
    private readonly IReadOnlyList<ScalarExpression> _keys;
    private readonly GroupKeysEmitter _values;
    private readonly string _suffix;
    private readonly string _region;

    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="reference">The reference.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="records">Where the values are kept.</param>
    /// <param name="suffix">What names end with.</param>
    /// <param name="region">Where memory is taken from.</param>
    public ReferencedKeys(KernelScope scope, KeyReference reference, IReadOnlyList<ScalarExpression> keys, string records, string suffix, string region)
    {
        _scope = scope;
        _reference = reference;
        _context = $"s.Context{reference.Scan.Parameter}";
        _keys = keys;
        Records = records;
        _suffix = suffix;
        _region = region;
        _values = new GroupKeysEmitter(scope, keys, scan: null, records, suffix, region, scans: []);
    }

    /// <summary>Text of where the values are kept.</summary>
    public string Records { get; }

    // The method in which the local is declared that tells the references of its block.
    private CodeWriter? _declaredIn;

    private string Known => "s.Known" + _suffix;

    private string References => "references" + _suffix;

    /// <summary>The reference.</summary>
    public ColumnRead Reference => _reference.Column;

    /// <summary>The words of the values.</summary>
    public int Words => _values.Words;

    /// <summary>Whether the values of a part of a scan are those of the whole.</summary>
    public bool CanMerge => _values.CanMerge;

    /// <summary>Text of the bytes that a part begins with.</summary>
    public string PartBytes => $"{Known}.Bytes";

    /// <summary>Declares state and writes the methods that evaluate and find values.</summary>
    public void Prepare()
    {
        _scope.Field(KernelApi.TargetRows, "Keys" + _suffix);
        _scope.Field(KernelApi.KnownPlaces, "Known" + _suffix);
        (TabularShape shape, ColumnShape column) = new ColumnEmitter(_scope).Find(_reference.Column);
        _scope.Setup.Line($"s.Keys{_suffix} = {KernelApi.TargetRows}.Locate({_context}, {_scope.Layout.Zone(shape, column)});");
        _values.Prepare(null);
        WriteEvaluation();
    }

    /// <summary>Writes what precedes the first row; the records are there already.</summary>
    public void Begin(CodeWriter writer)
    {
        writer.Line($"{Known} = {KernelApi.KnownPlaces}.Create(s.Keys{_suffix}, {_context}.Count, ref {_region});");
        _values.Begin(writer);
    }

    /// <summary>Declares a local that tells the references of selected rows, and asks for what they are told by; returns the keys that need no more of them.</summary>
    public IEnumerable<ScalarExpression> Declare(CodeWriter writer, Site row)
    {
        if (!IsRowOf(row))
            return [];
        ColumnEmitter columns = new(_scope);
        (TabularShape shape, ColumnShape column) = columns.Find(_reference.Column);
        writer.Line($"{KernelApi.BlockNumbers} {References} = {Known}.ReferencesIn(s.Keys{_suffix}, {columns.InBlock(shape, column)});");
        writer.Line(FirstRead() is { } value ? $"{Known}.Ask({References}, s.Selection, count, {value});" : $"{References}.Ask(s.Selection, count);");
        _declaredIn = writer;
        return _keys;
    }

    /// <summary>The place of the first value that is read of a referenced row; null if its handle is all that is read.</summary>
    private string? FirstRead()
    {
        ColumnRead? first = _keys.SelectMany(key => key.SelfAndDescendants()).OfType<ColumnRead>().FirstOrDefault(read => read.Row.Equals(_reference.Column));
        if (first is null)
            return null;
        (TabularShape shape, ColumnShape column) = new ColumnEmitter(_scope).Find(first);
        return $"{_scope.Layout.Offset(shape, column)}, {_scope.Layout.Stride(shape, column)}";
    }

    /// <summary>Declares a local for the place of the values of the row at hand.</summary>
    public void Find(CodeWriter writer, Site site, string place)
    {
        if (_declaredIn == writer && IsRowOf(site))
        {
            writer.Line($"int {place} = {Known}.Of({References}, {SlotPlace.SlotName});");
            writer.Line($"if ({place} < 0)").Line($"    {place} = Evaluate{_suffix}(ref s, {_reference.Bits(new ScalarEmitter(_scope, site))});");
            return;
        }

        string reference = "reference" + _suffix;
        writer.Line($"ulong {reference} = {_reference.Bits(new ScalarEmitter(_scope, site))};");
        writer.Line($"int {place} = {Known}.Of({reference});");
        writer.Line($"if ({place} < 0)").Line($"    {place} = Evaluate{_suffix}(ref s, {reference});");
    }

    /// <summary>Declares a local for the record of values of a part, which are added if they are new.</summary>
    public void FindPart(CodeWriter writer, string part, string record) => _values.FindPart(writer, part, record);

    /// <summary>The value of a key in a record.</summary>
    public string Value(int index, string record) => _values.Form(index).Value(record);

    /// <summary>The word of a key in a record.</summary>
    public string Bits(int index, string record) => _values.Form(index).Bits(record);

    /// <summary>Whether the row with the reference is the one that a loop over selected rows is at.</summary>
    private bool IsRowOf(Site site) =>
        _reference.Held is null && site.Bindings.Rows.TryGetValue(_reference.Scan.Variable, out RowPlace? place) && place == SlotPlace.Current;

    private void WriteEvaluation()
    {
        CodeWriter writer = new();
        KernelMethods.Header(writer);
        using (writer.Open($"private static int Evaluate{_suffix}(ref State s, ulong reference)"))
        {
            Site site = _reference.SiteOf(_keys, "reference");
            site = ValueLocals.LoadShared(_scope, _keys, _keys.SelectMany(EvaluatedParts.Of), writer, site);
            _values.Find(writer, site, "values");
            writer.Line($"int place = {Records}.PlaceAt(values);");
            writer.Line($"{Known}.Keep(reference, place);");
            writer.Line("return place;");
        }

        _scope.AddMethod(writer);
    }
}
