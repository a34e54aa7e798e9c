using System.Globalization;
using TpcH.Engines;

namespace TpcH.Running;

/// <summary>An engine with what was chosen for it, for human readers. Joins by references, the usual ones, go without saying.</summary>
internal static class EngineLabel
{
    public static string Of(IEngine engine) => string.Join(' ', Parts(engine));

    private static IEnumerable<string> Parts(IEngine engine)
    {
        yield return engine.Name;
        if (engine.Layout is { } layout)
            yield return layout;
        if (engine.Joins == JoinStyle.Keys)
            yield return JoinNames.Keys;
        if (engine.HasIndexes)
            yield return "indexed";
        if (engine.Threads != 1)
            yield return string.Create(CultureInfo.InvariantCulture, $"x{engine.Threads}");
    }
}
