using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// How an element is kept: a struct in a region with what is read of it later. Rows are kept as locations, strings as words, other managed values as numbers in a list beside.
/// </summary>
internal sealed class ElementRecord
{
    private readonly KernelScope _scope;
    private readonly List<Kept> _kept = [];
    private readonly Dictionary<int, Aggregate> _wholeGroups = [];
    private readonly string _region;
    private readonly LogicalOperator _source;

    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="source">The operator whose elements are kept.</param>
    /// <param name="reads">What is read of them later.</param>
    /// <param name="region">The region that keeps them.</param>
    /// <param name="hasNothing">Whether a record may also stand for no element; then groups are kept value by value.</param>
    public ElementRecord(KernelScope scope, LogicalOperator source, IEnumerable<(PlanRead Read, ScalarExpression? Expression)> reads, string region, bool hasNothing = false)
    {
        _scope = scope;
        _region = region;
        _source = source;
        IReadOnlyDictionary<int, Aggregate> near = NearGroups(source, hasNothing);
        foreach ((PlanRead read, ScalarExpression? expression) in reads.GroupBy(r => r.Read).Select(g => g.First()))
        {
            if (read.Kind is ReadKind.Row or ReadKind.Value)
                Keep(read, expression!);
            else if (near.TryGetValue(read.Number, out Aggregate? group))
                _wholeGroups[read.Number] = group;
            else
                Keep(read, expression!);
        }
    }

    /// <summary>Whether elements can be kept with what is read of them later: the rows of a group only where the group itself stays.</summary>
    public static bool CanKeep(LogicalOperator source, IEnumerable<(PlanRead Read, ScalarExpression? Expression)> reads, bool hasNothing = false)
    {
        IReadOnlyDictionary<int, Aggregate> near = NearGroups(source, hasNothing);
        return reads.All(r => r.Read.Kind != ReadKind.GroupRows || near.ContainsKey(r.Read.Number));
    }

    /// <summary>Declares the fields in the struct.</summary>
    public void Declare(CodeWriter types)
    {
        foreach (Kept kept in _kept)
            types.Line($"public {kept.Type} {kept.Name};");
        foreach (Aggregate group in _wholeGroups.Values.Where(g => g.Keys.Count > 0))
            types.Line($"public ulong Group{group.Group};");
    }

    /// <summary>Writes what precedes the first element.</summary>
    public void Begin(CodeWriter writer)
    {
        foreach (Kept kept in _kept.Where(k => k.Objects is not null))
            writer.Line($"{kept.Objects} = new();");
    }

    /// <summary>Writes the statements that add the records of a part of a scan to those of the parts before.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="list">The list of records.</param>
    /// <param name="first">The first record that is an element.</param>
    /// <param name="type">The record's type.</param>
    /// <param name="renumber">Writes what else changes in a record; null for nothing.</param>
    /// <param name="add">The method that takes a record; null for that of the list.</param>
    public void WriteMerge(CodeWriter writer, string list, int first, string type, Action<CodeWriter>? renumber = null, string? add = null)
    {
        string added = ScanParts.Of(list);
        if (renumber is null && !_kept.Any(k => k.Objects is not null))
        {
            writer.Line($"{list}.AddRange(ref s.Region, {added}, {first});");
            return;
        }

        using (writer.Open($"for (int i = {first}; i < {added}.Count; i++)"))
            WriteMerge(writer, list, "i", type, renumber, add);
    }

    /// <summary>Writes the statements that add one record of a part of a scan.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="list">The list of records.</param>
    /// <param name="index">Text of the position in the part's list.</param>
    /// <param name="type">The record's type.</param>
    /// <param name="renumber">Writes what else changes in a record; null for nothing.</param>
    /// <param name="add">The method that takes a record; null for that of the list.</param>
    public void WriteMerge(CodeWriter writer, string list, string index, string type, Action<CodeWriter>? renumber = null, string? add = null)
    {
        writer.Line($"{type} row = {ScanParts.Of(list)}[{index}];");
        foreach (Kept kept in _kept.Where(k => k.Objects is not null))
            writer.Line($"row.{kept.Name} = {kept.Objects}.Add({ScanParts.Of(kept.Objects!)}[row.{kept.Name}]);");
        renumber?.Invoke(writer);
        writer.Line($"{add ?? list + ".Add"}(ref s.Region, row);");
    }

    /// <summary>Writes the element at hand into a record.</summary>
    public void Fill(CodeWriter writer, Site site, string record)
    {
        ScalarEmitter emitter = new(_scope, site);
        foreach (Kept kept in _kept)
            writer.Line($"{record}.{kept.Name} = {ValueOf(kept, emitter, site, _region)};");
        foreach (Aggregate group in _wholeGroups.Values.Where(g => g.Keys.Count > 0))
            writer.Line($"{record}.Group{group.Group} = {((RecordGroup)site.Bindings.Groups[group.Group]).Address};");
    }

    /// <summary>The fields with the locations of rows, by row variable.</summary>
    public IEnumerable<(int Variable, string Field)> Locations => _kept.Where(kept => kept.Read.Kind == ReadKind.Row).Select(kept => (kept.Read.Number, kept.Name));

    /// <summary>Writes, in a loop over records, the prefetches of what lies behind the references of those that it comes to later: one value of each row.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="list">The list of records.</param>
    /// <param name="index">Where the loop is.</param>
    public void AskAhead(CodeWriter writer, string list, string index)
    {
        if (_scope.IsPlain)
            return;
        IEnumerable<ColumnRead> above = _scope.Plan.Root.SelfAndAll().Where(node => node != _source && node.SelfAndInputs().Contains(_source))
            .SelectMany(node => node.Expressions()).SelectMany(e => e.SelfAndDescendants()).OfType<ColumnRead>();
        List<(string Field, ColumnRead Value)> followed = [];
        foreach (Kept kept in _kept.Where(kept => kept is { Form: ValueForm.Handle, Read.Kind: ReadKind.Value }))
        {
            if (above.FirstOrDefault(read => read.Row is ValueVariable variable && variable.Variable == kept.Read.Number) is { } value)
                followed.Add((kept.Name, value));
        }

        if (followed.Count == 0)
            return;
        using (writer.Open($"if ({index} + {KernelApi.ReferencedRows}.Ahead < {list}.Count)"))
        {
            foreach ((string field, ColumnRead value) in followed)
            {
                (TabularShape shape, ColumnShape column) = new ColumnEmitter(_scope).Find(value);
                string later = $"{list}[{index} + {KernelApi.ReferencedRows}.Ahead].{field}", soon = $"{list}[{index} + ({KernelApi.ReferencedRows}.Ahead / 2)].{field}";
                writer.Line($"{KernelApi.ReferencedRows}.AskFor({later}, {soon}, {_scope.Layout.Offset(shape, column)}, {_scope.Layout.Stride(shape, column)});");
            }
        }
    }

    /// <summary>What a record holds.</summary>
    public Bindings Bind(Bindings outer, string record)
    {
        Bindings bindings = outer;
        Dictionary<PlanRead, ValuePlace> ofGroups = [];
        foreach (Kept kept in _kept)
        {
            string text = $"{record}.{kept.Name}";
            if (kept.Objects is not null)
                text = $"{kept.Objects}[{text}]";
            ValuePlace place = new(text, kept.Form);
            if (kept.Read.Kind == ReadKind.Row)
                bindings = bindings.WithRow(kept.Read.Number, new LocationPlace(text, _scope.CanBeNull(kept.Read.Number)));
            else if (kept.Read.Kind == ReadKind.Value)
                bindings = bindings.WithValue(kept.Read.Number, place);
            else
                ofGroups[kept.Read] = place;
        }

        foreach (int group in ofGroups.Keys.Select(r => r.Number).Distinct())
            bindings = bindings.WithGroup(group, new StoredGroup(ofGroups, group));
        foreach (int group in _wholeGroups.Keys)
            bindings = bindings.WithGroup(group, new RecordGroup(_scope.Aggregates[group], $"{record}.Group{group}"));
        return bindings;
    }

    /// <summary>What stands for no element: null rows, and the defaults of types.</summary>
    public static Bindings Nothing(Bindings outer, IEnumerable<(PlanRead Read, ScalarExpression? Expression)> reads)
    {
        Bindings bindings = outer;
        Dictionary<PlanRead, ValuePlace> ofGroups = [];
        foreach ((PlanRead read, ScalarExpression? expression) in reads)
        {
            if (read.Kind == ReadKind.Row)
                bindings = bindings.WithRow(read.Number, new LocationPlace("0UL", CanBeNull: true));
            else if (expression is not null)
                Add(read, Default(read, expression.Type));
        }

        foreach (int group in ofGroups.Keys.Select(r => r.Number).Distinct())
            bindings = bindings.WithGroup(group, new StoredGroup(ofGroups, group));
        return bindings;

        void Add(PlanRead read, ValuePlace place)
        {
            if (read.Kind == ReadKind.Value)
                bindings = bindings.WithValue(read.Number, place);
            else
                ofGroups[read] = place;
        }
    }

    /// <summary>Aggregates are read as C# values, optional references too.</summary>
    private static bool IsHandle(PlanRead read, PlanType type) => type is { Kind: TypeKind.Tabular, IsNullable: false } && read.Kind != ReadKind.Aggregate;

    private static ValuePlace Default(PlanRead read, PlanType type) => type.Kind switch
    {
        TypeKind.String => new("0UL", ValueForm.Word),
        _ when IsHandle(read, type) => new("0UL", ValueForm.Handle),
        _ => new($"default({type.Text})", ValueForm.Plain),
    };

    private void Keep(PlanRead read, ScalarExpression expression)
    {
        string name = read.Kind switch
        {
            ReadKind.Row => $"Row{read.Number}",
            ReadKind.Value => $"V{read.Number}",
            ReadKind.Key => $"Key{read.Number}_{read.Index}",
            _ => $"Aggregate{read.Number}_{read.Index}",
        };
        PlanType type = expression.Type;
        _kept.Add(read.Kind == ReadKind.Row || IsHandle(read, type)
            ? new Kept(read, expression, name, "ulong", read.Kind == ReadKind.Row ? ValueForm.Plain : ValueForm.Handle, null)
            : type.Kind == TypeKind.String ? new Kept(read, expression, name, "ulong", ValueForm.Word, null)
            : ScalarTraits.IsUnmanaged(type) || type.Kind == TypeKind.Tabular ? new Kept(read, expression, name, type.Text, ValueForm.Plain, null)
            : new Kept(read, expression, name, "int", ValueForm.Plain, _scope.Objects(type)));
    }

    private static string ValueOf(Kept kept, ScalarEmitter emitter, Site site, string region) => kept switch
    {
        { Read.Kind: ReadKind.Row } => site.Bindings.Rows[kept.Read.Number].Location,
        { Form: ValueForm.Handle } => emitter.Bits(kept.Expression),
        { Form: ValueForm.Word } => WordOf(kept.Expression, emitter, site, region),
        { Objects: { } objects } => $"{objects}.Add({emitter.Value(kept.Expression)})",
        _ => emitter.Value(kept.Expression),
    };

    /// <summary>A text as a word. One that was made in another region, which is emptied when the nested part that made it begins anew, is copied.</summary>
    private static string WordOf(ScalarExpression text, ScalarEmitter emitter, Site site, string region) => emitter.TryWord(text) switch
    {
        null => $"{KernelApi.KeyWords}.OfText({emitter.Value(text)}, ref {region})",
        var word when text is ColumnRead || site.Region == region => word,
        var word => $"{KernelApi.KeyWords}.Keep({word}, ref {region})",
    };

    /// <summary>The groups whose records live as long as the elements are kept, by number.</summary>
    private static IReadOnlyDictionary<int, Aggregate> NearGroups(LogicalOperator source, bool hasNothing) =>
        hasNothing ? new Dictionary<int, Aggregate>() : NearGroups(source).ToDictionary(a => a.Group);

    /// <summary>The groups not inside something that runs anew for each element, nor missing for some.</summary>
    private static IEnumerable<Aggregate> NearGroups(LogicalOperator node) => node switch
    {
        Aggregate aggregate => [aggregate],
        Apply apply => NearGroups(apply.Input),
        Join { Kind: JoinKind.Left } join => NearGroups(join.Left),
        DefaultIfEmpty => [],
        _ => node.Inputs().SelectMany(NearGroups),
    };

    /// <summary>One part of an element.</summary>
    private sealed record Kept(PlanRead Read, ScalarExpression Expression, string Name, string Type, ValueForm Form, string? Objects);
}
