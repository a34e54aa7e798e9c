using System.Security;

namespace Smc.Memory.Timelines;

/// <summary>The picture of a timeline. Its colours follow the viewer's preference for light or dark.</summary>
internal sealed class TimelineSvg(TimelineDrawing drawing)
{
    private const double Left = 150, Right = 1180, Top = 64, RowHeight = 26, BoxHeight = 18, PanelHeight = 90, Gap = 34;

    // Boxes nearer than this to each other are drawn as one, so that the file stays small.
    private const double Nearest = 0.4;

    private const string Style = """
        <style>
        .bg{fill:#fff} text{fill:#24292f;font:12px system-ui,sans-serif} .title{font-size:15px;font-weight:600} .small{fill:#57606a;font-size:11px}
        .line{stroke:#d0d7de} .Free{fill:#0969da} .Drain{fill:#8250df} .Compaction{fill:#1a7f37} .Section{fill:#cf222e;fill-opacity:.75}
        .EpochMoved{stroke:#9a6700;stroke-width:1} .EpochBlocked{stroke:#cf222e;stroke-width:1} .garbage{fill:#bf8700}
        .lost{fill:#8c959f;fill-opacity:.35}
        @media (prefers-color-scheme: dark){
        .bg{fill:#0d1117} text{fill:#e6edf3} .small{fill:#9198a1} .line{stroke:#3d444d} .Free{fill:#4493f8} .Drain{fill:#ab7df8} .Compaction{fill:#3fb950}
        .Section{fill:#f85149} .EpochMoved{stroke:#d29922} .EpochBlocked{stroke:#f85149} .garbage{fill:#e3b341} .lost{fill:#9198a1;fill-opacity:.35}}
        </style>
        """;

    private static readonly (TimelineKind Kind, string Name)[] s_legend =
    [
        (TimelineKind.Free, "frees"), (TimelineKind.Drain, "drains"), (TimelineKind.Compaction, "compacts"), (TimelineKind.Section, "section that holds the epoch up"),
        (TimelineKind.EpochMoved, "epoch moves on"), (TimelineKind.EpochBlocked, "epoch cannot"),
    ];

    private double RowsEnd => Top + drawing.Threads.Count * RowHeight;

    public void Write(TextWriter writer)
    {
        double height = RowsEnd + Gap + PanelHeight + Gap;
        writer.WriteLine(Text($"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"{height:0}\" viewBox=\"0 0 1200 {height:0}\" role=\"img\">"));
        writer.WriteLine(Style);
        writer.WriteLine("<rect class=\"bg\" width=\"100%\" height=\"100%\"/>");
        writer.WriteLine(Text($"<text class=\"title\" x=\"16\" y=\"24\">{drawing.Threads.Count} threads, {drawing.Epochs.Count} epochs in {drawing.Seconds * 1000:0.#} ms{(drawing.Dropped > 0 ? Text($"; {drawing.Dropped:#,0} events had no room and are missing where rows are grey") : "")}</text>"));
        WriteLegend(writer);
        WriteAxis(writer);
        for (int i = 0; i < drawing.Threads.Count; i++) WriteRow(writer, drawing.Threads[i], Top + i * RowHeight);
        WriteGarbage(writer, RowsEnd + Gap);
        writer.WriteLine("</svg>");
    }

    private static void WriteLegend(TextWriter writer)
    {
        double x = Left;
        foreach ((TimelineKind kind, string name) in s_legend)
        {
            writer.WriteLine(IsMark(kind)
                ? Text($"<line class=\"{kind}\" x1=\"{x + 5:0.#}\" x2=\"{x + 5:0.#}\" y1=\"36\" y2=\"48\"/>")
                : Text($"<rect class=\"{kind}\" x=\"{x:0.#}\" y=\"37\" width=\"10\" height=\"10\"/>"));
            writer.WriteLine(Text($"<text class=\"small\" x=\"{x + 15:0.#}\" y=\"46\">{name}</text>"));
            x += 40 + name.Length * 6;
        }
    }

    private void WriteAxis(TextWriter writer)
    {
        const int Ticks = 10;
        for (int i = 0; i <= Ticks; i++)
        {
            double seconds = drawing.Seconds * i / Ticks, x = X(seconds);
            writer.WriteLine(Text($"<line class=\"line\" x1=\"{x:0.#}\" x2=\"{x:0.#}\" y1=\"{Top:0}\" y2=\"{RowsEnd + Gap + PanelHeight:0}\"/>"));
            writer.WriteLine(Text($"<text class=\"small\" x=\"{x:0.#}\" y=\"{RowsEnd + Gap + PanelHeight + 16:0}\" text-anchor=\"{(i == Ticks ? "end" : "middle")}\">{seconds * 1000:0.#} ms</text>"));
        }
    }

    private void WriteRow(TextWriter writer, TimelineDrawing.Row row, double y)
    {
        writer.WriteLine(Text($"<text x=\"16\" y=\"{y + 14:0.#}\">{SecurityElement.Escape(row.Thread)}</text>"));
        if (row.LostFrom is { } lost)
        {
            double x = X(drawing.At(lost));
            writer.WriteLine(Text($"<rect class=\"lost\" x=\"{x:0.##}\" y=\"{y - 2:0.#}\" width=\"{Right - x:0.##}\" height=\"{BoxHeight + 4:0.#}\"><title>{row.Dropped:#,0} events had no room</title></rect>"));
        }
        foreach (IGrouping<TimelineKind, TimelineEvent> kind in row.Events.GroupBy(static happened => happened.Kind).OrderBy(static kind => Layer(kind.Key)))
        {
            double from = double.NegativeInfinity, to = double.NegativeInfinity;
            foreach (TimelineEvent happened in kind.OrderBy(static happened => happened.Start))
            {
                double start = X(drawing.At(happened.Start)), end = Math.Max(X(drawing.At(happened.End)), start);
                if (start - to < Nearest && (IsMark(kind.Key) ? start - from < Nearest : true))
                {
                    to = Math.Max(to, end);
                    continue;
                }
                WriteBox(writer, kind.Key, from, to, y);
                (from, to) = (start, end);
            }
            WriteBox(writer, kind.Key, from, to, y);
        }
    }

    private static void WriteBox(TextWriter writer, TimelineKind kind, double from, double to, double y)
    {
        if (double.IsNegativeInfinity(from)) return;
        // The epoch's marks reach over the boxes, so that both are seen.
        writer.WriteLine(IsMark(kind)
            ? Text($"<line class=\"{kind}\" x1=\"{from:0.##}\" x2=\"{from:0.##}\" y1=\"{y - 2:0.#}\" y2=\"{y + BoxHeight / 3:0.#}\"/>")
            : Text($"<rect class=\"{kind}\" x=\"{from:0.##}\" y=\"{y + (kind == TimelineKind.Section ? 3 : 0):0.#}\" width=\"{Math.Max(to - from, 0.6):0.##}\" height=\"{(kind == TimelineKind.Section ? BoxHeight - 6 : BoxHeight):0.#}\"/>"));
    }

    private void WriteGarbage(TextWriter writer, double top)
    {
        long most = Math.Max(1, drawing.Epochs.Count == 0 ? 1 : drawing.Epochs.Max(static mark => mark.Value));
        writer.WriteLine(Text($"<text x=\"16\" y=\"{top + 12:0.#}\">garbage per epoch</text>"));
        writer.WriteLine(Text($"<text class=\"small\" x=\"16\" y=\"{top + 28:0.#}\">at most {most / 1024:#,0} KiB</text>"));
        double drawn = double.NegativeInfinity, tallest = 0;
        for (int i = 0; i < drawing.Epochs.Count; i++)
        {
            double x = X(drawing.At(drawing.Epochs[i].Start)), next = i + 1 < drawing.Epochs.Count ? X(drawing.At(drawing.Epochs[i + 1].Start)) : Right;
            tallest = Math.Max(tallest, PanelHeight * drawing.Epochs[i].Value / most);
            if (next - Math.Max(x, drawn) < 1 && i + 1 < drawing.Epochs.Count) continue;
            double from = Math.Max(double.IsNegativeInfinity(drawn) ? x : drawn, Left);
            writer.WriteLine(Text($"<rect class=\"garbage\" x=\"{from:0.##}\" y=\"{top + PanelHeight - tallest:0.##}\" width=\"{Math.Max(next - from, 0.6):0.##}\" height=\"{tallest:0.##}\"/>"));
            (drawn, tallest) = (next, 0);
        }
    }

    private static bool IsMark(TimelineKind kind) => kind is TimelineKind.EpochMoved or TimelineKind.EpochBlocked;

    // Marks last, so that nothing covers them.
    private static int Layer(TimelineKind kind) => kind switch { TimelineKind.Section => 0, TimelineKind.Compaction => 1, TimelineKind.Drain => 2, TimelineKind.Free => 3, _ => 4 };

    private double X(double seconds) => Left + (Right - Left) * Math.Clamp(seconds / drawing.Seconds, 0, 1);

    private static string Text(FormattableString text) => FormattableString.Invariant(text);
}
