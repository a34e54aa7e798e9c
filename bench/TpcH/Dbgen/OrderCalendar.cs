namespace TpcH.Dbgen;

/// <summary>Dates as days since the first order date; dbgen draws and compares them as such.</summary>
internal static class OrderCalendar
{
    public const int LastOrderDay = 2405;

    /// <summary>1995-06-17, dbgen's "today": lines received until then may have been returned.</summary>
    public const int CurrentDay = 1263;

    private static readonly int StartDayNumber = new DateOnly(1992, 1, 1).DayNumber;

    public static DateOnly Date(int day) => DateOnly.FromDayNumber(StartDayNumber + day);
}
