namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>What the writer does.</summary>
/// <param name="AddsAndRemoves">Whether rows come and go; else only values change.</param>
/// <param name="Steady">A change that no answer may show, or null for any change.</param>
internal sealed record ChangePlan(bool AddsAndRemoves, SteadyChange? Steady = null);

/// <summary>In some rows of a table, one column goes to and fro between values. Whether an answer may show it depends on the query.</summary>
/// <param name="Table">The table.</param>
/// <param name="Column">The column's number.</param>
/// <param name="Values">Rows whose value of the column is stored.</param>
internal sealed record SteadyChange(string Table, int Column, object?[][] Values)
{
    /// <summary>Half of the rows keep what they have.</summary>
    public static bool Touches(int row) => row % 2 == 0;
}
