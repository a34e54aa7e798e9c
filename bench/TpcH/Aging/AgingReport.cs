using System.Globalization;
using Spectre.Console;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Aging;

/// <summary>All queries with their times for one of the fresh run, the worst first, and whether the goal is met.</summary>
internal static class AgingReport
{
    /// <summary>Returns whether every answer is right and no query is slower than the goal allows.</summary>
    public static bool Write(Terminal terminal, IReadOnlyList<AgedWorld> worlds, IReadOnlyList<AgedQuery> queries)
    {
        var table = new Spectre.Console.Table();
        table.AddColumn("query");
        table.AddColumn("joins");
        foreach (string heading in (string[])["fresh ms", .. worlds.Select(AgedWorlds.NameOf)])
            table.AddColumn(new TableColumn(heading).RightAligned().NoWrap());
        foreach (AgedQuery query in queries.OrderByDescending(query => query.WorstRatio))
        {
            string fresh = query.FreshMs?.ToString("0.00", CultureInfo.InvariantCulture) ?? "";
            table.AddRow([query.Query.Name, JoinNames.Of(query.Joins), fresh, .. worlds.Select(world => Cell(query, world))]);
        }
        TableWriter.Write(terminal, table);

        foreach (AgedQuery query in queries)
        {
            foreach ((AgedWorld world, AgedTime time) in query.Times.Where(time => time.Value.Problem is not null))
                terminal.Output.WriteLine($"{query.Query.Name} by {JoinNames.Of(query.Joins)} in the world '{AgedWorlds.NameOf(world)}' is WRONG: {time.Problem}");
        }
        bool isMet = true;
        foreach (AgedWorld world in worlds)
        {
            AgedQuery[] slow = [.. queries.Where(query => query.Times[world].Ratio > AgedQuery.Goal)];
            double[] ratios = [.. queries.Select(query => query.Times[world].Ratio).OfType<double>()];
            double mean = Math.Exp(ratios.Average(Math.Log));
            terminal.Output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{(slow.Length == 0 ? "holds" : "DOES NOT HOLD")}: in the world '{AgedWorlds.NameOf(world)}' queries take at most {AgedQuery.Goal:0.0} times as long ({slow.Length} of {ratios.Length} do not; geometric mean {mean:0.00}, highest {ratios.Max():0.00})"));
            isMet &= slow.Length == 0;
        }
        return isMet && queries.All(query => query.IsRight);
    }

    private static string Cell(AgedQuery query, AgedWorld world)
    {
        AgedTime time = query.Times[world];
        return time.Problem is not null ? "WRONG" : time.Throws ? "throws" : time.Ratio?.ToString("0.00", CultureInfo.InvariantCulture) ?? "";
    }
}
