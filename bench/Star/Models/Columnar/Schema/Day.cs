using Smc.Collections;

namespace Star.Model;

[Tabular(Layout = TabularLayout.Columnar)]
internal readonly partial struct Day
{
    public partial int Key { get; set; }

    public partial DateOnly Date { get; set; }

    public partial int Year { get; set; }

    public partial int Month { get; set; }

    public partial int YearMonth { get; set; }

    public partial int Week { get; set; }

    public partial string DayOfWeek { get; set; }
}
