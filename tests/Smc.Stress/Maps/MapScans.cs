using Smc.Collections;

namespace Smc.Stress.Maps;

/// <summary>
/// A map in which keys divisible by ten are there all the time, keys with the last digit 9 never, and others come and go: what every scan must see of it.
/// </summary>
internal static class MapScans
{
    public const int Step = 10;
    private const int Never = 9;

    /// <summary>A key that comes and goes.</summary>
    public static int AnyMover(Random random, int keys) => random.Next(keys) * Step + random.Next(1, Never);

    /// <summary>Scans the whole map, or a range, in one direction.</summary>
    /// <param name="map">The map.</param>
    /// <param name="from">The lowest key.</param>
    /// <param name="to">The highest key.</param>
    /// <param name="isDescending">True to begin with the highest.</param>
    /// <param name="between">Called between two keys.</param>
    /// <returns>The number of keys seen.</returns>
    public static int Check(OrderedMap<int, long> map, int from, int to, bool isDescending, Action? between = null)
    {
        MapRange<int, long> range = map.From(from).UpTo(to);
        int? last = null;
        int steady = 0, seen = 0;
        foreach ((int key, long value) in isDescending ? range.Descending() : range)
        {
            between?.Invoke();
            ViolationException.Require(key >= from && key <= to, $"a scan from {from} to {to} returned {key}");
            ViolationException.Require(last is not { } before || (isDescending ? key < before : key > before), $"a scan returned {key} after {last}");
            ViolationException.Require(Math.Abs(key % Step) != Never, $"a scan returned {key}, which was never there");
            if (key % Step == 0) steady++;
            seen++;
            last = key;
        }
        int expected = FloorDivide(to) - FloorDivide(from - 1);
        ViolationException.Require(steady == expected, $"a scan from {from} to {to}, {(isDescending ? "descending" : "ascending")}, returned {steady} of {expected} keys that are always there");
        return seen;
    }

    private static int FloorDivide(int value) => (int)Math.Floor(value / (double)Step);
}
