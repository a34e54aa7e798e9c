using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>What the rows of a block go through before somebody takes them.</summary>
/// <param name="Rows">What the rows are called.</param>
/// <param name="Filters">How the conditions are tested.</param>
/// <param name="Keys">The columns whose values joins above look for.</param>
internal sealed record FilterSteps(string Rows, FilterPlan Filters, IReadOnlyList<ColumnRead> Keys) : PhysicalOperator
{
    /// <summary><c>FilterOrder.MostFilters</c>.</summary>
    public const int MostOrdered = 8;

    /// <summary>Look-ups of rows and keys.</summary>
    public int LookUps => Filters.Navigations.Count + Keys.Count;

    /// <summary>Whether rows and keys are looked up in the order that rows so far suggest; other passes stay in that of the query, as one may keep rows from another that would give up.</summary>
    public bool IsOrdered => LookUps is > 1 and <= MostOrdered;

    /// <summary>Whether rows or keys are what a batch is asked for first: then the first of them is looked up for a whole column, without a selection of all rows.</summary>
    public bool TakesColumns => Filters.Ranges.Count + Filters.Pairs.Count + Filters.Texts.Count + Filters.Selections.Count == 0;

    /// <summary>Whether rows that are left after whole columns were compared are thinned out by the look-ups, whole columns, too, before they are selected.</summary>
    public bool Narrows => !TakesColumns && Filters.Texts.Count + Filters.Selections.Count == 0 && Filters.Navigations.Count > 0 && Keys.Count == 0 && (LookUps == 1 || IsOrdered);

    /// <summary>Referenced rows are answered by dense id, and a dense id may get another row in another section; how a column holds a text is good for the section in which that was asked, too.</summary>
    public override bool KeepsOnlyValues => Filters.Navigations.Count + Filters.Texts.Count == 0;

    public override IEnumerable<string> Describe()
    {
        foreach (string way in Filters.Describe(Rows))
            yield return way;
        foreach (ColumnRead key in Keys)
            yield return $"{PlanPrinter.Print(key)}: rows whose key no partner in a join above has are dropped before anything is looked up";
        if (IsOrdered)
            yield return $"{LookUps} look-ups of rows and keys: the one that kept the smallest share of rows so far first{(TakesColumns ? ", or one that is faster over a whole column" : "")}";
    }
}
