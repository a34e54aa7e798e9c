namespace Smc.Stress.Change;

/// <summary>
/// Numbers of rows, from 0 to 99. Those from 10 to 89 are inside the range that filters ask for. A writer gives a row another number that is also below the range, inside,
/// or above it. So the number of rows inside never changes, however often a query reads a value.
/// </summary>
internal static class Members
{
    public const int Values = 100;

    public static bool IsInside(int n) => n is >= 10 and < 90;

    /// <summary>True for numbers that rows can have.</summary>
    public static bool IsNumber(int n) => n is >= 0 and < 120;

    /// <summary>The number of rows inside.</summary>
    public static int Inside(ChangeSetting setting) => Enumerable.Range(0, setting.Rows).Count(i => IsInside(setting.NumberAt(i, Values)));

    /// <summary>Another number on the same side of the range.</summary>
    public static int Move(ChangeSetting setting, Random random, int position) =>
        Move(random, setting.NumberAt(position, Values), setting.HasUnusualValues ? 120 : 100);

    /// <summary>Another number on the same side of the range, below <paramref name="end"/>.</summary>
    public static int Move(Random random, int n, int end) => n < 10 ? random.Next(10) : IsInside(n) ? random.Next(10, 90) : random.Next(90, end);
}
