using TpcH.Model;

namespace TpcH.Running;

internal static class LayoutNames
{
    public const string Columnar = "columnar";
    public const string Row = "row";

    public static IReadOnlyList<string> All { get; } = [Columnar, Row];

    /// <summary>Empty self-managed collections of that layout.</summary>
    public static ITabularDatabase CreateDatabase(string layout, DatabaseOptions? options = null) => layout switch
    {
        Columnar => ColumnarModel.CreateDatabase(options),
        Row => RowModel.CreateDatabase(options),
        _ => throw new ArgumentException($"Unknown layout '{layout}'.", nameof(layout)),
    };
}
