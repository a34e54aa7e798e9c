namespace Star.Model;

internal sealed class Day
{
    public required int Key { get; set; }

    public required DateOnly Date { get; set; }

    public required int Year { get; set; }

    public required int Month { get; set; }

    public required int YearMonth { get; set; }

    public required int Week { get; set; }

    public required string DayOfWeek { get; set; }
}
