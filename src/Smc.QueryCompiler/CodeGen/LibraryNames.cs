using System.Text.RegularExpressions;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// The names of the library and of a few platform types in a kernel that has a file of its own: short, as one writes them by hand, where <c>using</c> directives say what they are.
/// The directives stand in the kernel's namespace, so nothing that a project declares, not even its global <c>using</c>s, comes before them. Names of the user's types stay whole.
/// </summary>
public static class LibraryNames
{
    /// <summary>The namespaces that short names come from; none of the names is in two of them.</summary>
    public static readonly IReadOnlyList<string> Namespaces = ["Smc.Collections", "Smc.Collections.Kernels", "Smc.Memory", "System.Collections.Generic"];

    private const string List = "global::System.Collections.Generic.List";

    private static readonly Dictionary<string, string> s_platform = new()
    {
        ["Math"] = "global::System.Math",
        ["MethodImpl"] = "global::System.Runtime.CompilerServices.MethodImpl",
    };

    /// <summary>Types whose members are called by their own names: a kernel reads memory in nearly every line.</summary>
    private static readonly string[] s_opened = [KernelApi.KernelMemory, "global::System.Runtime.CompilerServices.MethodImplOptions"];

    private static readonly Dictionary<string, string> s_shortNames =
        KernelApi.Members.Keys.Select(name => (Whole: name, Short: name.Substring(name.LastIndexOf('.') + 1))).Concat(s_platform.Select(alias => (Whole: alias.Value, Short: alias.Key)))
            .Concat(s_opened.Select(name => (Whole: name + ".", Short: "")))
            .Append((Whole: List, Short: nameof(List)))
            .ToDictionary(name => name.Whole, name => name.Short);

    // Texts and characters are matched too, and stay: what looks like a name inside them is none. Longer names come first, as one may begin with another.
    private static readonly Regex s_names = new(
        @"""(?:\\.|[^""\\\n])*""|'(?:\\[^\n]+?|[^'\\\n])'|(?:" + string.Join("|", s_shortNames.Keys.OrderByDescending(name => name.Length).Select(Regex.Escape)) + @")\b", RegexOptions.CultureInvariant);

    /// <summary>The directives, a line each.</summary>
    public static IEnumerable<string> Directives =>
    [
        .. Namespaces.Select(name => $"using global::{name};"),
        .. s_platform.Select(alias => $"using {alias.Key} = {Type(alias.Value)};"),
        .. s_opened.Select(name => $"using static {name};"),
    ];

    /// <summary>The text with short names.</summary>
    public static string Shorten(string text) => s_names.Replace(text, match => s_shortNames.TryGetValue(match.Value, out string? shortName) ? shortName : match.Value);

    /// <summary>Attributes are written without their last part.</summary>
    private static string Type(string name) => name.EndsWith("Impl", StringComparison.Ordinal) ? name + "Attribute" : name;
}
