using System.Globalization;
using Spectre.Console;
using TpcH.Reporting;

namespace TpcH.Footprint;

/// <summary>Bytes per row of each table in each object model, and whether the columnar rows take no more than the objects.</summary>
internal static class FootprintReport
{
    /// <summary>Returns whether the goal is met for every table.</summary>
    public static bool Write(Terminal terminal, IReadOnlyList<TableFootprint> footprints)
    {
        var table = new Spectre.Console.Table();
        table.AddColumn("table");
        table.AddColumn(new TableColumn("rows").RightAligned());
        foreach (string holder in FootprintStudy.Holders)
            table.AddColumn(new TableColumn(Markup.Escape(holder)).RightAligned());
        bool allMet = true;
        foreach (Table name in FootprintStudy.Tables)
        {
            Dictionary<string, TableFootprint> byHolder = footprints.Where(footprint => footprint.Table == name).ToDictionary(footprint => footprint.Holder);
            table.AddRow(
            [
                new Text(name.ToString().ToLowerInvariant()),
                new Text(byHolder[FootprintStudy.Managed].Rows.ToString("#,0", CultureInfo.InvariantCulture)),
                .. FootprintStudy.Holders.Select(holder => new Text(byHolder[holder].BytesPerRow.ToString("0.0", CultureInfo.InvariantCulture))),
            ]);
            allMet &= byHolder[Running.LayoutNames.Columnar].Bytes <= byHolder[FootprintStudy.Managed].Bytes;
        }
        TableWriter.Write(terminal, table);
        terminal.Output.WriteLine($"{(allMet ? "holds" : "DOES NOT HOLD")}: columnar rows take no more memory than managed ones, table by table");
        return allMet;
    }
}
