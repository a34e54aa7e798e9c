using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>A scan of a collection, block by block. Its conditions are the <see cref="FilterSteps"/> beside it.</summary>
/// <param name="Rows">What the rows are called.</param>
/// <param name="UniqueSeeks">Columns of which the query asks for one value, which a unique index may find.</param>
/// <param name="Alternatives">Columns of which it asks for one of several values that it names, with how many these are, which an index may find.</param>
/// <param name="ListedSeek">The column of which it asks for one of several values, which an index may find; null for none.</param>
/// <param name="RangeSeeks">Columns of which it asks for a range, which an ordered index may find.</param>
/// <param name="First">The rows that come first by a column, if these are all that is asked for.</param>
/// <param name="LeavesSection">Whether its critical section is left between blocks when memory waits for it.</param>
/// <param name="IsShared">Whether several threads may have blocks of it.</param>
internal sealed record BlockScan(
    string Rows, IReadOnlyList<ColumnShape> UniqueSeeks, IReadOnlyList<(ColumnShape Column, int Values)> Alternatives, ColumnShape? ListedSeek, IReadOnlyList<ColumnShape> RangeSeeks, FirstRows? First, bool LeavesSection, bool IsShared) : PhysicalOperator
{
    public override bool KeepsOnlyValues => true;

    public override IEnumerable<string> Describe()
    {
        foreach (ColumnShape column in UniqueSeeks)
            yield return $"{Rows}.{column.Name}: by the unique index on it, if there is one";
        if (UniqueSeeks.Count > 1)
            yield return $"{string.Join(", ", UniqueSeeks.Select(column => $"{Rows}.{column.Name}"))}: by a unique index on several of them, if there is one";
        foreach ((ColumnShape column, int values) in Alternatives)
            yield return $"{Rows}.{column.Name}: each of the {values} values by the unique index on it or an ordered one that begins with it, if there is one and this is cheaper";
        if (ListedSeek is { } listed)
            yield return $"{Rows}.{listed.Name}: each value of the list by the unique index on it or an ordered one that begins with it, if there is one and the list is so short that this is cheaper";
        foreach (ColumnShape column in RangeSeeks)
            yield return $"{Rows}.{column.Name}: by an ordered index that begins with it, if there is one and it finds so few rows that this is cheaper";
        if (First is { } first)
        {
            yield return $"{Rows}.{first.Column.Name}: the {(first.IsDescending ? "highest" : "lowest")} by an ordered index that begins with it, if there is one and it is cheaper"
                + (first.HasOthers ? ": one row after the other until enough pass the other conditions, or too few do" : "");
        }

        if (LeavesSection)
            yield return "its critical section is left between blocks when memory waits for it: only values are kept";
        if (IsShared)
            yield return "threads can share its blocks";
    }
}

/// <summary>The rows of a scan that come first.</summary>
/// <param name="Column">By which column.</param>
/// <param name="IsDescending">Whether the highest come first.</param>
/// <param name="HasOthers">Whether there are conditions that the index does not know.</param>
internal sealed record FirstRows(ColumnShape Column, bool IsDescending, bool HasOthers);
