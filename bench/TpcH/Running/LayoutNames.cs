namespace TpcH.Running;

internal static class LayoutNames
{
    public const string Columnar = "columnar";
    public const string Row = "row";

    public static IReadOnlyList<string> All { get; } = [Columnar, Row];
}
