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
    /// Loads, each once, the properties that expressions use more than once though the query's text reads them in one place (<see cref="ColumnRead.Place"/>): other
    /// threads may write them between two loads. A property behind a reference, which can raise, is loaded if it is evaluated in any case.
    /// </summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="expressions">The expressions.</param>
    /// <param name="evaluated">What of them is evaluated in any case (<see cref="EvaluatedParts"/>).</param>
    /// <param name="writer">Where locals are declared.</param>
    /// <param name="site">Where the expressions are evaluated.</param>
    /// <returns>The site with the locals.</returns>
    public static Site LoadShared(KernelScope scope, IEnumerable<ScalarExpression> expressions, IEnumerable<ScalarExpression> evaluated, CodeWriter writer, Site site)
    {
        HashSet<(int Place, ColumnRead Read)> certain = [.. evaluated.OfType<ColumnRead>().Select(read => (read.Place, read))];
        foreach (ColumnRead read in PlacedReads.Repeated(expressions).OrderBy(read => read.SelfAndDescendants().OfType<ColumnRead>().Count()))
        {
            bool isThere = read.Row is RowVariable row && !scope.CanBeNull(row.Variable) && site.Bindings.Rows.ContainsKey(row.Variable);
            if (!isThere && !(read.Row is ColumnRead && certain.Contains((read.Place, read)) && IsBound(read, site.Bindings)))
                continue;
            string local = $"once{scope.Number()}_{read.Column}";
            writer.Line($"var {local} = {new ScalarEmitter(scope, site).Raw(read)};");
            site = site.With(site.Bindings.WithLoaded(read, local));
        }

        return site;
    }

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
