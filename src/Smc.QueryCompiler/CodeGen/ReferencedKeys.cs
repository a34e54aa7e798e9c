using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// The keys of a group that depend on one referenced row: they are evaluated once for each referenced row, and numbered. The number is the place of their values among all that
/// were found; it is remembered by dense id.
/// </summary>
internal sealed class ReferencedKeys
{
    private readonly KernelScope _scope;
    private readonly ColumnRead _reference;
    private readonly string _context;
    private readonly IReadOnlyList<ScalarExpression> _keys;
    private readonly GroupKeysEmitter _values;
    private readonly string _suffix;
    private readonly string _region;

    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="reference">The reference column.</param>
    /// <param name="scan">The scan that has it.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="records">Where the values are kept.</param>
    /// <param name="suffix">What names end with.</param>
    /// <param name="region">Where memory is taken from.</param>
    public ReferencedKeys(KernelScope scope, ColumnRead reference, Scan scan, IReadOnlyList<ScalarExpression> keys, string records, string suffix, string region)
    {
        _scope = scope;
        _reference = reference;
        _context = $"s.Context{scan.Parameter}";
        _keys = keys;
        Records = records;
        _suffix = suffix;
        _region = region;
        _values = new GroupKeysEmitter(scope, keys, scan: null, records, suffix, region, scans: []);
    }

    /// <summary>Text of where the values are kept.</summary>
    public string Records { get; }

    private string Known => "s.Known" + _suffix;

    /// <summary>The reference.</summary>
    public string Describe() => PlanPrinter.Print(_reference);

    /// <summary>The words of the values.</summary>
    public int Words => _values.Words;

    /// <summary>Whether the values of a part of a scan are those of the whole.</summary>
    public bool CanMerge => _values.CanMerge;

    /// <summary>Text of the bytes that a part begins with.</summary>
    public string PartBytes => $"{Known}.Bytes";

    /// <summary>The reference column behind which alone a key reads something of a scanned row; null if there is none, or the key cannot be remembered.</summary>
    /// <param name="key">The key.</param>
    /// <param name="others">What else is evaluated for the same rows.</param>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="scans">The scans that rows of elements come from.</param>
    public static (ColumnRead Reference, Scan Scan)? TryReferenceOf(ScalarExpression key, IEnumerable<ScalarExpression> others, KernelScope scope, IReadOnlyList<Scan> scans)
    {
        if (!Purity.IsPure(key) || key.SelfAndDescendants().Any(part => part is Subquery or ValueVariable or KeyRead or AggregateRead))
            return null;
        List<ColumnRead> roots = [.. key.SelfAndDescendants().OfType<ColumnRead>().Where(read => read.Row is RowVariable)];
        if (roots.Count == 0 || key.SelfAndDescendants().OfType<RowVariable>().Count() != roots.Count || scans.FirstOrDefault(s => s.Variable == ((RowVariable)roots[0].Row).Variable) is not { } scan)
            return null;
        bool isOneReference = roots.All(root => root is { Type: { Kind: TypeKind.Tabular, IsNullable: false }, Row: RowVariable row } && row.Variable == scan.Variable && root.Column == roots[0].Column)
            && new ColumnEmitter(scope).Find(roots[0]).Column.HasZoneMap;
        // What stands behind the reference is read when it is asked for first: a read that is shared with something else has to be that of the row at hand.
        bool isShared = others.Any(other => PlacedReads.Of(other).Any(read => read.Row is not RowVariable && PlacedReads.Of(key).Any(own => own.Place == read.Place && own.Equals(read))));
        return isOneReference && !roots.Contains(key) && !isShared ? (roots[0], scan) : null;
    }

    /// <summary>Declares state and writes the methods that evaluate and find values.</summary>
    public void Prepare()
    {
        _scope.Field(KernelApi.TargetRows, "Keys" + _suffix);
        _scope.Field(KernelApi.KnownPlaces, "Known" + _suffix);
        (TabularShape shape, ColumnShape column) = new ColumnEmitter(_scope).Find(_reference);
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

    /// <summary>Declares a local for the place of the values of the row at hand.</summary>
    public void Find(CodeWriter writer, Site site, string place)
    {
        string reference = "reference" + _suffix;
        writer.Line($"ulong {reference} = {new ScalarEmitter(_scope, site).Raw(_reference)};");
        writer.Line($"int {place} = {Known}.Of({reference});");
        writer.Line($"if ({place} < 0)").Line($"    {place} = Evaluate{_suffix}(ref s, {reference});");
    }

    /// <summary>Declares a local for the record of values of a part, which are added if they are new.</summary>
    public void FindPart(CodeWriter writer, string part, string record) => _values.FindPart(writer, part, record);

    /// <summary>The value of a key in a record.</summary>
    public string Value(int index, string record) => _values.Form(index).Value(record);

    /// <summary>The word of a key in a record.</summary>
    public string Bits(int index, string record) => _values.Form(index).Bits(record);

    private void WriteEvaluation()
    {
        CodeWriter writer = new();
        KernelMethods.Header(writer);
        using (writer.Open($"private static int Evaluate{_suffix}(ref State s, ulong reference)"))
        {
            Site site = Site.OfRow(((RowVariable)_reference.Row).Variable);
            foreach (ColumnRead root in _keys.SelectMany(key => key.SelfAndDescendants()).OfType<ColumnRead>().Where(read => read.Row is RowVariable))
                site = site.With(site.Bindings.WithLoaded(root, "reference"));
            site = ValueLocals.LoadShared(_scope, _keys, _keys.SelectMany(EvaluatedParts.Of), writer, site);
            _values.Find(writer, site, "values");
            writer.Line($"int place = {Records}.PlaceAt(values);");
            writer.Line($"{Known}.Keep(reference, place);");
            writer.Line("return place;");
        }

        _scope.AddMethod(writer);
    }
}
