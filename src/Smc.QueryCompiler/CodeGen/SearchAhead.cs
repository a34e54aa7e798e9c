using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Ordinal searches of a stored text that a loop over selected rows makes for each of them: one pass before the loop looks into all texts at once, and leaves what it found beside the slots. The loop searches
/// again where the pass does not tell.
/// </summary>
internal sealed class SearchAhead(KernelScope scope, TabularShape shape, int variable)
{
    /// <summary>Writes the pass for the first search of a column, if there is one.</summary>
    /// <param name="writer">The method of the loop, before the loop.</param>
    /// <param name="evaluated">What the loop evaluates for every row.</param>
    /// <param name="all">All that it may evaluate.</param>
    /// <param name="row">Where the row at hand is in the loop.</param>
    /// <returns>The site with what was found.</returns>
    public Site Write(CodeWriter writer, IEnumerable<ScalarExpression> evaluated, IEnumerable<ScalarExpression> all, Site row)
    {
        foreach (Call call in evaluated.OfType<Call>())
        {
            // What the query's text reads in one place is loaded once.
            if (call.Instance is not ColumnRead { Row: RowVariable of } text || of.Variable != variable || all.Sum(expression => PlacedReads.Of(expression).Count(read => read.Place == text.Place)) > 1)
                continue;
            if (new ScalarEmitter(scope, row).TryFindAhead(call) is not { } search)
                continue;
            ColumnShape column = shape.Column(text.Column);
            writer.Line($"{search.Pattern}.FindIn({SlotPlace.BlockName} + {scope.Layout.Offset(shape, column)}, {scope.Layout.Stride(shape, column)}, s.Selection, count);");
            return row.With(row.Bindings.WithBeside(call, $"{search.Pattern}.{search.Beside}"));
        }

        return row;
    }
}
