using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>The reference behind which alone a key reads something: <c>s.Product.Brand</c>, or <c>p.Brand</c> where <c>let p = s.Product</c> holds it.</summary>
/// <param name="Column">The reference column of a scan.</param>
/// <param name="Scan">The scan.</param>
/// <param name="Held">The variable that holds what was read of the column; null where the key reads it.</param>
internal sealed record KeyReference(ColumnRead Column, Scan Scan, ValueVariable? Held)
{
    /// <summary>The reference of a key; null if there is none, or what is behind it cannot be remembered.</summary>
    /// <param name="key">The key.</param>
    /// <param name="others">What else is evaluated for the same elements.</param>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="scans">The scans that rows of elements come from.</param>
    public static KeyReference? TryFind(ScalarExpression key, IEnumerable<ScalarExpression> others, KernelScope scope, IReadOnlyList<Scan> scans)
    {
        if (!Purity.IsPure(key) || key.SelfAndDescendants().Any(part => part is Subquery or KeyRead or AggregateRead))
            return null;
        // What stands behind the reference is read when it is asked for first: a read that is shared with something else has to be that of the row at hand.
        if (others.Any(other => PlacedReads.Of(other).Any(read => read.Row is not RowVariable && PlacedReads.Of(key).Any(own => own.Place == read.Place && own.Equals(read)))))
            return null;
        List<ScalarExpression> sources = [.. key.SelfAndDescendants().Where(part => part is RowVariable or ValueVariable)];
        if (sources.Count == 0)
            return null;
        ValueVariable? held = sources[0] as ValueVariable;
        List<ColumnRead> columns = held is null
            ? [.. key.SelfAndDescendants().OfType<ColumnRead>().Where(read => read.Row is RowVariable)]
            : sources.TrueForAll(source => source.Equals(held)) && scope.DefinitionOf(held) is ColumnRead read ? [read] : [];
        bool readsAll = held is not null || columns.Count == sources.Count;
        if (columns.Count == 0 || !readsAll || columns.Contains(key) || key.Equals(held) || columns[0].Row is not RowVariable row || scans.FirstOrDefault(s => s.Variable == row.Variable) is not { } scan)
            return null;
        bool isOneReference = columns.TrueForAll(column => column is { Type: { Kind: TypeKind.Tabular, IsNullable: false }, Row: RowVariable of } && of.Variable == row.Variable && column.Column == columns[0].Column)
            && new ColumnEmitter(scope).Find(columns[0]).Column.HasZoneMap;
        return isOneReference ? new KeyReference(columns[0], scan, held) : null;
    }

    /// <summary>What references that are one have in common.</summary>
    public (int Row, string Column, int? Held) Identity => (Scan.Variable, Column.Column, Held?.Variable);

    /// <summary>The handle of the element at hand.</summary>
    public string Bits(ScalarEmitter emitter) => Held is null ? emitter.Raw(Column) : emitter.Bits(Held);

    /// <summary>Where keys are evaluated of a handle that a local holds.</summary>
    public Site SiteOf(IEnumerable<ScalarExpression> keys, string local)
    {
        Site site = Site.OfRow(Scan.Variable);
        if (Held is not null)
            return site.With(site.Bindings.WithValue(Held.Variable, new ValuePlace(local, ValueForm.Handle)));
        foreach (ColumnRead root in keys.SelectMany(key => key.SelfAndDescendants()).OfType<ColumnRead>().Where(read => read.Row is RowVariable))
            site = site.With(site.Bindings.WithLoaded(root, local));
        return site;
    }
}
