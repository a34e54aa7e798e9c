using TpcH.Dbgen;

namespace TpcH.Cli;

/// <summary>A number of refresh sets.</summary>
internal static class SetCount
{
    /// <exception cref="UsageException">The text is not a whole number from 1 to <see cref="RefreshSet.Maximum"/>.</exception>
    public static int Parse(string option, string text)
    {
        int count = PositiveNumber.Parse(option, text);
        return count <= RefreshSet.Maximum ? count : throw new UsageException($"{option} takes a whole number up to {RefreshSet.Maximum}, not '{text}'");
    }
}
