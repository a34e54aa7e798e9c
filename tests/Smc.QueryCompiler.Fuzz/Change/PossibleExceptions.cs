using Smc.QueryCompiler.Fuzz.Queries;

namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>The exceptions that a query can raise as LINQ to Objects, told from its text.</summary>
internal static class PossibleExceptions
{
    private static readonly string[] s_needElements = ["First()", "Last()", "Single()", "SingleOrDefault()", ".Min(", ".Max(", ".Average(", ".Average()", ".MinBy(", ".MaxBy(", ".Value", "Min()", "Max()"];

    public static bool CanRaise(QueryNode query, bool isChecked, bool rowsAreRemoved, Exception exception)
    {
        string text = query.Text;
        bool Has(params string[] parts) => parts.Any(p => text.Contains(p, StringComparison.Ordinal));
        bool canMissRows = Has("OrDefault", "LeftJoin", "RightJoin", "DefaultIfEmpty");
        bool followsReferences = query.All.Any(n => n.Type is RowType && n.Parts is [{ Type: RowType }]);
        return exception switch
        {
            Collections.RowRemovedException => rowsAreRemoved,
            NullReferenceException => canMissRows || followsReferences || query.All.Any(n => n.Type is ScalarType { Kind: ScalarKind.String }) || query.All.Any(n => n.Type is CompositeType { Form: CompositeForm.Anonymous or CompositeForm.Class or CompositeForm.Record }),
            DivideByZeroException => Has(" / ", " % "),
            OverflowException => isChecked || Has(".Sum(", ".Average(", "checked", "(Int128)", "Math.Abs", " / ", " % ", "Aggregate") || query.All.Any(n => n.Type is ScalarType { Kind: ScalarKind.Decimal or ScalarKind.TimeSpan or ScalarKind.DateTime }),
            InvalidOperationException => Has(s_needElements),
            IndexOutOfRangeException => false,
            ArgumentNullException => Has("ToDictionary", "AggregateBy", "CountBy") || query.All.Any(n => n.Type is ScalarType { Kind: ScalarKind.String }),
            ArgumentOutOfRangeException => Has("Add", "ElementAt", "Substring", "Chunk", " + ", " - ", "Math.Round"),
            ArgumentException => Has("ToDictionary", "Math.Abs"),
            FormatException => false,
            _ => false,
        };
    }
}
