using System.Text.RegularExpressions;
using Xunit;

namespace Guide.Tests;

/// <summary>The charts of the documentation and the results that they are drawn from go together.</summary>
public sealed partial class PictureTests
{
    private const string Pictures = "docs/pictures";

    public static TheoryData<string> Results =>
        [.. Directory.GetFiles(Path.Combine(Repository.Root, Pictures, "results"), "*.json").Select(file => Path.GetFileNameWithoutExtension(file)).Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Results))]
    public void Results_are_drawn_light_and_dark_with_a_title_and_shown_on_a_page(string name)
    {
        Assert.Matches("aria-label=\"[^:\"]", Svg(name + ".svg"));
        Assert.Matches("aria-label=\"[^:\"]", Svg(name + ".dark.svg"));
        Link link = Assert.Single(Links(), link => link.Light.EndsWith($"pictures/{name}.svg", StringComparison.Ordinal));
        Assert.Equal(link.Light.Replace(".svg", ".dark.svg", StringComparison.Ordinal), link.Dark);
        Assert.NotEmpty(link.Text);
    }

    [Fact]
    public void Every_chart_has_its_results()
    {
        IEnumerable<string> charts = Directory.GetFiles(Path.Combine(Repository.Root, Pictures), "*.dark.svg").Select(file => Path.GetFileName(file).Replace(".dark.svg", "", StringComparison.Ordinal));

        Assert.Equal(Results.Select(row => row.Data), charts.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Every_picture_of_a_page_is_there() =>
        Assert.All(Links(), link => Assert.True(File.Exists(Path.Combine(link.Folder, link.Light)) && File.Exists(Path.Combine(link.Folder, link.Dark)), link.Light));

    private static string Svg(string name) => File.ReadAllText(Path.Combine(Repository.Root, Pictures, name));

    private static IEnumerable<Link> Links() => Directory.GetFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories)
        .Append(Path.Combine(Repository.Root, "README.md"))
        .SelectMany(page => Picture().Matches(File.ReadAllText(page).ReplaceLineEndings("\n"))
            .Select(match => new Link(Path.GetDirectoryName(page)!, match.Groups["light"].Value, match.Groups["dark"].Value, match.Groups["text"].Value)));

    [GeneratedRegex("""<source media="\(prefers-color-scheme: dark\)" srcset="(?<dark>[^"]*)">\n *<img src="(?<light>[^"]*)" alt="(?<text>[^"]*)">""", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Picture();

    /// <summary>A picture on a page.</summary>
    /// <param name="Folder">The page's folder.</param>
    /// <param name="Light">The picture, from there.</param>
    /// <param name="Dark">The one for dark screens.</param>
    /// <param name="Text">What is read to those who do not see it.</param>
    private sealed record Link(string Folder, string Light, string Dark, string Text);
}
