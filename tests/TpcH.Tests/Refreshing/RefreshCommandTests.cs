using System.Text.Json;
using TpcH.Tests.Cli;
using Xunit;

namespace TpcH.Tests.Refreshing;

public sealed class RefreshCommandTests : IDisposable
{
    private readonly DirectoryInfo _output = Directory.CreateTempSubdirectory("tpch-refresh-");

    public void Dispose() => _output.Delete(recursive: true);

    [Fact]
    public void The_JSON_has_every_round_of_every_layout()
    {
        string file = Path.Combine(_output.FullName, "rounds.json");

        ProgramRun run = ProgramRun.Of("refresh", "--sf", "0.01", "--rounds", "2", "--layout", "columnar,row", "--queries", "q06", "--repeat", "1", "--json", file);

        Assert.Equal(0, run.ExitCode);
        using JsonDocument json = JsonDocument.Parse(File.ReadAllText(file));
        Assert.Equal(0.01, json.RootElement.GetProperty("sf").GetDouble());
        JsonElement[] layouts = [.. json.RootElement.GetProperty("layouts").EnumerateArray()];
        Assert.Equal(["columnar", "row"], layouts.Select(layout => layout.GetProperty("layout").GetString()));
        Assert.All(layouts, layout =>
        {
            Assert.True(layout.GetProperty("correct").GetBoolean());
            Assert.Equal(JsonValueKind.Null, layout.GetProperty("resident_drift").ValueKind);
            Assert.Equal([0, 1, 2], layout.GetProperty("rounds").EnumerateArray().Select(round => round.GetProperty("round").GetInt32()));
            JsonElement last = layout.GetProperty("rounds")[2];
            Assert.InRange(last.GetProperty("memory").GetProperty("live").GetInt64(), 1, last.GetProperty("memory").GetProperty("mapped").GetInt64());
            Assert.Equal("q06", last.GetProperty("queries")[0].GetProperty("query").GetString());
        });
    }

    [Fact]
    public void A_cancelled_run_says_so()
    {
        ProgramRun run = ProgramRun.Of(new CancellationToken(canceled: true), "refresh", "--sf", "0.01");

        Assert.Equal((130, ""), (run.ExitCode, run.Output));
        Assert.EndsWith("cancelled\n", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Generate_writes_refresh_sets_beside_the_tables()
    {
        ProgramRun run = ProgramRun.Of("generate", "--sf", "0.01", "--out", _output.FullName, "--refresh", "2");

        Assert.Equal(0, run.ExitCode);
        Assert.Equal(
            ["delete.1", "delete.2", "lineitem.tbl.u1", "lineitem.tbl.u2", "orders.tbl.u1", "orders.tbl.u2"],
            _output.GetFiles().Select(file => file.Name).Where(name => !name.EndsWith(".tbl", StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        Assert.Equal(["1|", "2|"], File.ReadLines(Path.Combine(_output.FullName, "delete.1")).Take(2));
    }
}
