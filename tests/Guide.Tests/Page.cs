using System.Text.RegularExpressions;

namespace Guide.Tests;

/// <summary>A page of the documentation: its blocks of C#, and what it says that they print.</summary>
/// <remarks>
/// The C# blocks of a page are one program, in the order of the page. A <c>text</c> block is the output of the C# block before it; a C# block
/// without one prints nothing.
/// </remarks>
internal sealed partial class Page
{
    private Page(string name, IReadOnlyList<Sample> samples)
    {
        Name = name;
        Samples = samples;
    }

    /// <summary>The path in the repository.</summary>
    public string Name { get; }

    public IReadOnlyList<Sample> Samples { get; }

    public static Page Read(string name) => Parse(name, File.ReadAllText(Path.Combine(Repository.Root, name)));

    public static Page Parse(string name, string markdown)
    {
        markdown = markdown.ReplaceLineEndings("\n");
        List<Sample> samples = [];
        foreach (Match block in Block().Matches(markdown))
        {
            string text = block.Groups["text"].Value;
            if (block.Groups["kind"].Value == "csharp")
                samples.Add(new Sample(text, 1 + markdown.AsSpan(0, block.Groups["text"].Index).Count('\n'), Output: ""));
            else if (samples.Count > 0)
                samples[^1] = samples[^1] with { Output = samples[^1].Output + text };
        }

        return new Page(name, samples);
    }

    [GeneratedRegex(@"^```(?<kind>csharp|text)\n(?<text>.*?)^```$", RegexOptions.Multiline | RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Block();
}

/// <summary>A block of C# on a page.</summary>
/// <param name="Code">The block.</param>
/// <param name="Line">The line of the page on which the block begins.</param>
/// <param name="Output">What the page says that the block prints.</param>
internal sealed record Sample(string Code, int Line, string Output);
