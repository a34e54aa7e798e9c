namespace TpcH;

/// <summary>A row of query 12: late lines of a ship mode, by the priority of their orders.</summary>
public sealed record ShipModePriority(string ShipMode, int HighLineCount, int LowLineCount)
{
    public static AnswerShape<ShipModePriority> Shape { get; } = new AnswerShape<ShipModePriority>()
        .Text("l_shipmode", row => row.ShipMode)
        .Integer("high_line_count", row => row.HighLineCount)
        .Integer("low_line_count", row => row.LowLineCount);
}
