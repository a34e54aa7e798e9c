using ScottPlot;

namespace Charts;

/// <summary>The colours of a chart. Bars differ in brightness, too, so that they can be told apart without colour.</summary>
/// <param name="Background">Of the whole picture.</param>
/// <param name="Text">Of text and axes.</param>
/// <param name="Grid">Of grid lines.</param>
/// <param name="Bars">Of the series, in their order.</param>
internal sealed record Palette(string Background, string Text, string Grid, IReadOnlyList<string> Bars)
{
    public static Palette Light { get; } = new("#ffffff", "#1f2328", "#d8dee4", ["#0b5cad", "#6bb1f0", "#d97706", "#737a82", "#b9bfc6"]);

    public static Palette Dark { get; } = new("#0d1117", "#e6edf3", "#30363d", ["#58a6ff", "#1f5a9e", "#f0a23c", "#9aa4ae", "#59626c"]);

    public Color Bar(int series) => Color.FromHex(Bars[series % Bars.Count]);
}
