namespace Smc.QueryCompiler.CodeGen;

/// <summary>How a scan looks the rows or keys that a column leads to up: for the rows of a selection, or, before there is one, for a whole column of a batch.</summary>
/// <param name="Keep">The call that shortens the selection, and gives how many rows are left.</param>
/// <param name="Append">The call that appends the rows of a batch to the selection, and gives how many it has then.</param>
/// <param name="Cost">The call that tells what appending takes for each row of a block.</param>
internal sealed record LookUp(string Keep, string Append, string Cost)
{
    /// <summary>The call that drops rows of a batch which others have thinned out; null for keys.</summary>
    public string? Narrow { get; init; }

    /// <summary>The calls of a field's methods.</summary>
    /// <param name="field">The field.</param>
    /// <param name="keep">The method that shortens a selection.</param>
    /// <param name="append">The method that appends to it.</param>
    /// <param name="cost">The method that tells what appending takes.</param>
    /// <param name="column">The local with what the block has of the column.</param>
    /// <param name="before">What the first two are told before it.</param>
    /// <param name="last">And last.</param>
    public static LookUp Of(string field, string keep, string append, string cost, string column, string before = "", string last = "") => new(
        $"{field}.{keep}({before}{column}, s.Selection, count{last})",
        $"{field}.{append}({before}{column}, first, rows, s.Bitmap, s.Selection, count{last})",
        $"{field}.{cost}({column}, slots)");
}
