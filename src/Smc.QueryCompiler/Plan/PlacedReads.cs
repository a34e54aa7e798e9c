namespace Smc.QueryCompiler.Plan;

/// <summary>Reads whose place in the query's text is known (<see cref="ColumnRead.Place"/>). Equal reads of one place are one read of the text, which LINQ to Objects does once.</summary>
internal static class PlacedReads
{
    /// <summary>Those of an expression.</summary>
    public static IEnumerable<ColumnRead> Of(ScalarExpression expression) => expression.SelfAndDescendants().OfType<ColumnRead>().Where(read => read.Place != 0);

    /// <summary>Those that stand in expressions more than once, each once.</summary>
    public static IEnumerable<ColumnRead> Repeated(IEnumerable<ScalarExpression> expressions) =>
        expressions.SelectMany(Of).GroupBy(read => (read.Place, read)).Where(g => g.Count() > 1).Select(g => g.First());

    /// <summary>Whether two expressions have one of them in common.</summary>
    public static bool Share(ScalarExpression left, ScalarExpression right) => Of(left).Any(a => Of(right).Any(b => a.Place == b.Place && a.Equals(b)));
}
