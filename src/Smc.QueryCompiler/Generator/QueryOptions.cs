using Microsoft.CodeAnalysis.Diagnostics;

namespace Smc.QueryCompiler.Generator;

/// <summary>The MSBuild properties that queries obey; <c>build/Smc.Collections.targets</c> makes them visible.</summary>
internal static class QueryOptions
{
    /// <summary><c>SmcDisableQueryCompiler</c>: everything runs as LINQ to Objects, without a word.</summary>
    public static bool IsDisabled(AnalyzerConfigOptions options) => IsTrue(options, "SmcDisableQueryCompiler");

    /// <summary><c>SmcStrict</c>, or publishing with native AOT: a query that is not compiled is an error.</summary>
    public static bool IsStrict(AnalyzerConfigOptions options) => IsTrue(options, "SmcStrict") || HasNoRuntimeCompiler(options);

    /// <summary><c>PublishAot</c>: nothing is compiled while the program runs.</summary>
    public static bool HasNoRuntimeCompiler(AnalyzerConfigOptions options) => IsTrue(options, "PublishAot");

    private static bool IsTrue(AnalyzerConfigOptions options, string property) =>
        options.TryGetValue("build_property." + property, out string? value) && string.Equals(value, "true", StringComparison.OrdinalIgnoreCase);
}
