using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Optimizer;

/// <summary>The one row that an expression is about.</summary>
internal static class ReadRow
{
    /// <summary>The row variable that alone is read, or the reference of a row through which alone it is; null when there are several or none.</summary>
    public static ScalarExpression? Of(ScalarExpression expression)
    {
        ScalarExpression? row = null;
        return ReadsOnlyRow(expression) ? row : null;

        bool ReadsOnlyRow(ScalarExpression part)
        {
            ScalarExpression? read = part switch
            {
                ColumnRead { Row: ColumnRead path } => Reference(path),
                ColumnRead { Row: RowVariable variable } => variable,
                _ => null,
            };
            if (read is not null)
                return (row ??= read).Equals(read);
            return part is not (RowVariable or ValueVariable or KeyRead or AggregateRead or Subquery) && part.Children().All(ReadsOnlyRow);
        }
    }

    /// <summary>Where a path of references leaves the row variable.</summary>
    private static ColumnRead? Reference(ColumnRead path) => path.Row switch
    {
        RowVariable => path,
        ColumnRead deeper => Reference(deeper),
        _ => null,
    };
}
