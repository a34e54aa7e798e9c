using System.Globalization;
using System.Text.RegularExpressions;
using ScottPlot;
using ScottPlot.TickGenerators;

namespace Charts;

/// <summary>The values of each query as groups of bars, on a logarithmic axis: factors are lengths.</summary>
internal sealed partial class QueryChart(string title, ResultFile results)
{
    private const int PlotHeight = 460;
    private const double GroupWidth = 0.8;
    private const int Margins = 120;
    private const double LetterWidth = 7.6;
    private const double Slant = 35;

    private int Width => Math.Max(720, Margins + 45 * results.Queries.Count);

    /// <summary>Slanted names stand below a plot that is no lower for them.</summary>
    private int Height => PlotHeight + (IsSlanted ? (int)SlantedHeight : 0);

    private double SlantedHeight => LongestName * LetterWidth * Math.Sin(Slant * Math.PI / 180);

    private int LongestName => results.Queries.Max(name => name.Length);

    /// <summary>Whether names are too long to stand beside each other below their groups.</summary>
    private bool IsSlanted => LongestName * 8 > (Width - Margins) / results.Queries.Count;

    public string Svg(Palette palette)
    {
        using Plot plot = new();
        // Bars grow from the bottom of the axis, which is half of the least value or less: so each has a length, and those of values that are nearly equal are nearly equal.
        double[] all = [.. results.Results.Select(result => result.Measured).OfType<double>()];
        double bottom = Math.Floor(Math.Log10(all.Min() / 2)), top = Math.Log10(all.Max()) + 0.15;
        AddBars(plot, palette, bottom);
        Axes(plot, palette, bottom, top);
        return Accessible(plot.GetSvgXml(Width, Height));
    }

    private void AddBars(Plot plot, Palette palette, double bottom)
    {
        double width = GroupWidth / results.Series.Count;
        for (int series = 0; series < results.Series.Count; series++)
        {
            List<Bar> bars = [];
            for (int query = 0; query < results.Queries.Count; query++)
            {
                if (results.ValueOf(results.Queries[query], results.Series[series]) is { } value)
                {
                    bars.Add(new Bar
                    {
                        Position = query - GroupWidth / 2 + (series + 0.5) * width,
                        ValueBase = bottom,
                        Value = Math.Log10(value),
                        Size = width,
                        FillColor = palette.Bar(series),
                        LineWidth = 0,
                    });
                }
            }

            plot.Add.Bars(bars).LegendText = results.Series[series];
        }
    }

    private void Axes(Plot plot, Palette palette, double bottom, double top)
    {
        Color text = Color.FromHex(palette.Text);
        plot.FigureBackground.Color = Color.FromHex(palette.Background);
        plot.DataBackground.Color = Color.FromHex(palette.Background);
        plot.Axes.Color(text);
        plot.Font.Set("DejaVu Sans");
        plot.Title(title, size: 17);
        plot.Axes.Title.Label.ForeColor = text;
        plot.YLabel($"{results.Unit} (logarithmic)", size: 13);

        NumericManual values = new();
        foreach (double step in top - bottom > 2 ? [1] : (double[])[1, 2, 5])
        {
            for (int power = (int)bottom; power + Math.Log10(step) <= top; power++)
                values.AddMajor(power + Math.Log10(step), (step * Math.Pow(10, power)).ToString("#,0.####", CultureInfo.InvariantCulture));
        }

        plot.Axes.Left.TickGenerator = values;
        plot.Axes.Left.TickLabelStyle.FontSize = 13;
        NumericManual names = new();
        for (int query = 0; query < results.Queries.Count; query++)
            names.AddMajor(query, results.Queries[query]);
        plot.Axes.Bottom.TickGenerator = names;
        plot.Axes.Bottom.TickLabelStyle.FontSize = 13;
        plot.Axes.Bottom.MajorTickStyle.Length = 0;
        if (IsSlanted)
        {
            plot.Axes.Bottom.TickLabelStyle.Rotation = (float)Slant;
            plot.Axes.Bottom.TickLabelStyle.Alignment = Alignment.UpperLeft;
            plot.Axes.Bottom.MinimumSize = 20 + (float)SlantedHeight;
            plot.Axes.Right.MinimumSize = (float)RoomForLastNames();
        }

        plot.Grid.MajorLineColor = Color.FromHex(palette.Grid);
        plot.Grid.XAxisStyle.IsVisible = false;
        plot.Axes.SetLimits(-0.6, results.Queries.Count - 0.4, bottom, top);

        Legend legend = plot.ShowLegend(Edge.Bottom).Legend;
        legend.Orientation = Orientation.Horizontal;
        legend.BackgroundColor = Color.FromHex(palette.Background);
        legend.FontColor = text;
        legend.FontSize = 13;
        legend.OutlineWidth = 0;
        legend.ShadowColor = Colors.Transparent;
    }

    /// <summary>How far the slanted names of the last groups reach beyond the plot.</summary>
    private double RoomForLastNames()
    {
        double group = (Width - 2.0 * Margins) / results.Queries.Count;
        return 20 + results.Queries.Select((name, i) => name.Length * LetterWidth * Math.Cos(Slant * Math.PI / 180) - (results.Queries.Count - i - 0.5) * group).Max();
    }

    /// <summary>
    /// Adds what a screen reader says, and fonts that every system has in place of the one of this machine. Skia places each letter by the widths of its own font: only the
    /// first letter keeps its place, so that other fonts set the text in their own widths.
    /// </summary>
    private string Accessible(string svg)
    {
        int start = svg.IndexOf("<svg", StringComparison.Ordinal), end = svg.IndexOf('>', start);
        string label = System.Security.SecurityElement.Escape($"{title}: bars of {results.Unit} for {results.Queries.Count} queries or sizes and {string.Join(", ", results.Series)}");
        svg = string.Concat(svg.AsSpan(0, end), $" role=\"img\" aria-label=\"{label}\"", svg.AsSpan(end));
        svg = FontFamily().Replace(svg, "font-family=\"DejaVu Sans, Verdana, sans-serif\"");
        return LetterPlaces().Replace(svg, "${axis}=\"${first}\"");
    }

    [GeneratedRegex("font-family=\"[^\"]*\"")]
    private static partial Regex FontFamily();

    [GeneratedRegex("(?<= )(?<axis>x|y)=\"(?<first>[-0-9.e]+), [^\"]*\"", RegexOptions.ExplicitCapture)]
    private static partial Regex LetterPlaces();
}
