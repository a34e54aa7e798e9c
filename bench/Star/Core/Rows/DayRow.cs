namespace Star;

/// <param name="Key">yyyymmdd.</param>
/// <param name="YearMonth">yyyymm.</param>
/// <param name="Week">Sevens of days since New Year, from 1 on.</param>
public readonly record struct DayRow(int Key, DateOnly Date, int Year, int Month, int YearMonth, int Week, string DayOfWeek);
