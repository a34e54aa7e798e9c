using System.CommandLine;
using Charts;

Argument<FileInfo> results = new("results") { Description = "What bench/TpcH or bench/Star wrote with --json, or a file of docs/pictures/results" };
Option<string> title = new("--title") { Description = "The first line of the chart", Required = true };
Option<FileInfo> output = new("--out") { Description = "The SVG file; the dark one gets '.dark' before the extension", Required = true };
RootCommand root = new("Draws the results of a benchmark, or of a table in docs/, as bars: the values of each query and engine, in a light and a dark SVG.") { results, title, output };
root.SetAction(arguments =>
{
    ResultFile file = ResultFile.Read(arguments.GetValue(results)!);
    FileInfo light = arguments.GetValue(output)!;
    light.Directory?.Create();
    QueryChart chart = new(arguments.GetValue(title)!, file);
    File.WriteAllText(light.FullName, chart.Svg(Palette.Light));
    File.WriteAllText(Path.ChangeExtension(light.FullName, ".dark.svg"), chart.Svg(Palette.Dark));
    return 0;
});
return root.Parse(args).Invoke();
