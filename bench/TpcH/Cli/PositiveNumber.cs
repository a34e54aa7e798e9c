using System.Globalization;

namespace TpcH.Cli;

internal static class PositiveNumber
{
    /// <exception cref="UsageException">The text is not a whole number from 1 on.</exception>
    public static int Parse(string option, string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value > 0
            ? value : throw new UsageException($"{option} takes a whole number from 1 on, not '{text}'");
}
