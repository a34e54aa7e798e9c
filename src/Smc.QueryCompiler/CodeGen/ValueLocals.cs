using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Locals of generated code that hold values of an element.</summary>
internal static class ValueLocals
{
    /// <summary>Declares a local for a value variable, in the form in which the value comes.</summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="variable">The number of the variable.</param>
    /// <param name="name">Its name in the plan.</param>
    /// <param name="value">What it holds.</param>
    /// <param name="writer">Where the local is declared.</param>
    /// <param name="from">Where the value is computed.</param>
    /// <param name="to">Where the variable is read.</param>
    /// <returns><paramref name="to"/> with the variable.</returns>
    public static Site Declare(KernelScope scope, int variable, string name, ScalarExpression value, CodeWriter writer, Site from, Site to)
    {
        ScalarEmitter emitter = new(scope, from);
        string local = $"{Identifier(name)}_{variable}";
        if (value.Type is { Kind: TypeKind.Tabular, IsNullable: false })
        {
            writer.Line($"ulong {local} = {emitter.Bits(value)};");
            return to.With(to.Bindings.WithValue(variable, new ValuePlace(local, ValueForm.Handle)));
        }

        if (value.Type.Kind == TypeKind.String && emitter.TryWord(value) is { } word)
        {
            writer.Line($"ulong {local} = {word};");
            return to.With(to.Bindings.WithValue(variable, new ValuePlace(local, ValueForm.Word)));
        }

        if (emitter.TryScaled(value) is { } scaled)
        {
            writer.Line($"long {local} = {scaled.Text};");
            return to.With(to.Bindings.WithValue(variable, new ValuePlace(local, ValueForm.Scaled, scaled.Scale)));
        }

        writer.Line($"{(value.Type.CSharp.Length == 0 ? "var" : value.Type.Text)} {local} = {emitter.Value(value)};");
        return to.With(to.Bindings.WithValue(variable, new ValuePlace(local, ValueForm.Plain)));
    }

    /// <summary>
    /// Loads, each once, the properties that expressions use more than once: those of one place in the query's text (<see cref="ColumnRead.Place"/>) because other threads may write them
    /// between two loads, the others because a load, and more so what leads to it, costs something; and finds, each once, rows behind references of which several properties are read.
    /// Nothing is done earlier than the query says but what is evaluated in any case, and loads that cannot raise.
    /// </summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="expressions">The expressions.</param>
    /// <param name="evaluated">What of them is evaluated in any case (<see cref="EvaluatedParts"/>).</param>
    /// <param name="writer">Where locals are declared.</param>
    /// <param name="site">Where the expressions are evaluated.</param>
    /// <returns>The site with the locals.</returns>
    public static Site LoadShared(KernelScope scope, IEnumerable<ScalarExpression> expressions, IEnumerable<ScalarExpression> evaluated, CodeWriter writer, Site site)
    {
        HashSet<ColumnRead> certain = [.. evaluated.OfType<ColumnRead>()];
        List<ColumnRead> reads = [.. expressions.SelectMany(expression => expression.SelfAndDescendants()).OfType<ColumnRead>()];
        List<IGrouping<ColumnRead, ColumnRead>> repeated = [.. reads.GroupBy(read => read).Where(uses => uses.Count() > 1)];
        List<ScalarExpression> rows = [.. reads.GroupBy(read => read.Row).Where(row => row.Key is not RowVariable && row.Distinct().Count() > 1 && row.Any(certain.Contains)).Select(row => row.Key)];
        int longest = reads.Select(Length).DefaultIfEmpty(0).Max();
        for (int length = 0; length < longest; length++)
        {
            foreach (ScalarExpression row in rows.Where(row => Length(row) == length))
                site = Locate(scope, row, writer, site);
            foreach (IGrouping<ColumnRead, ColumnRead> uses in repeated.Where(uses => Length(uses.Key) == length + 1))
                site = Load(scope, uses, certain.Contains(uses.Key), writer, site);
        }

        return site;
    }

    private static Site Locate(KernelScope scope, ScalarExpression row, CodeWriter writer, Site site)
    {
        if (site.Bindings.Located.ContainsKey(row) || !IsBound(row, site.Bindings))
            return site;
        string local = "row" + scope.Number();
        writer.Line($"ulong {local} = {new ScalarEmitter(scope, site).RowOf(row).Location};");
        return site.With(site.Bindings.WithLocated(row, local));
    }

    private static Site Load(KernelScope scope, IGrouping<ColumnRead, ColumnRead> uses, bool isEvaluated, CodeWriter writer, Site site)
    {
        ColumnRead read = uses.Key;
        bool isOfRow = read.Row is RowVariable row && !scope.CanBeNull(row.Variable) && site.Bindings.Rows.ContainsKey(row.Variable);
        bool isOfOnePlace = uses.Any(use => use.Place != 0 && uses.Count(other => other.Place == use.Place) > 1);
        bool canLoad = isEvaluated ? isOfRow || (read.Row is not RowVariable && IsBound(read, site.Bindings)) : isOfRow && isOfOnePlace;
        // What a direct reference holds is followed as it is; as a handle it would be looked up.
        canLoad &= isOfOnePlace || !new ColumnEmitter(scope).IsDirect(read);
        if (!canLoad || site.Bindings.Loaded.ContainsKey(read))
            return site;
        string local = $"once{scope.Number()}_{read.Column}";
        writer.Line($"var {local} = {new ScalarEmitter(scope, site).Raw(read)};");
        return site.With(site.Bindings.WithLoaded(read, local));
    }

    /// <summary>How many properties a path of references reads.</summary>
    private static int Length(ScalarExpression path) => path.SelfAndDescendants().OfType<ColumnRead>().Count();

    /// <summary>Whether what a path of references begins with can be read here.</summary>
    private static bool IsBound(ScalarExpression row, Bindings bindings) => row switch
    {
        ColumnRead path => IsBound(path.Row, bindings),
        RowVariable variable => bindings.Rows.ContainsKey(variable.Variable),
        ValueVariable variable => bindings.Values.ContainsKey(variable.Variable),
        KeyRead key => bindings.Groups.ContainsKey(key.Group),
        _ => false,
    };

    private static string Identifier(string name) => "_" + new string([.. name.Select(c => char.IsLetterOrDigit(c) ? c : '_')]);
}
