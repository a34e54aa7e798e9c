using System.Globalization;

namespace Bench.Shared;

internal static class PositiveNumber
{
    /// <exception cref="UsageException">The text is not a whole number from 1 on.</exception>
    public static int Parse(string option, string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value > 0
            ? value : throw new UsageException($"{option} takes a whole number from 1 on, not '{text}'");

    /// <exception cref="UsageException">The text is not a whole number from 1 to <paramref name="most"/>.</exception>
    public static int Parse(string option, string text, int most) =>
        Parse(option, text) is var value && value <= most
            ? value : throw new UsageException($"{option} takes a whole number up to {most}, not '{text}'");
}
