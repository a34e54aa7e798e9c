using System.Globalization;
using TpcH.Dbgen;

namespace TpcH.Cli;

internal static class ScaleFactors
{
    /// <exception cref="UsageException">The text is not a scale factor that dbgen takes.</exception>
    public static double Parse(string option, string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value) && value is > 0 and <= ScaleFactor.Maximum
            ? value : throw new UsageException($"{option} takes a number above 0 and up to {ScaleFactor.Maximum}, not '{text}'");
}
