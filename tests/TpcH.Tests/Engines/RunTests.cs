using System.Text.Json;
using TpcH.Engines;
using Bench.Shared.DuckDb;
using TpcH.Running;
using TpcH.Tests.Cli;
using Xunit;

namespace TpcH.Tests.Engines;

public sealed class RunTests(SmallDataFixture data) : IClassFixture<SmallDataFixture>, IDisposable
{
    private readonly DirectoryInfo _output = Directory.CreateTempSubdirectory("tpch-run-");

    public void Dispose() => _output.Delete(recursive: true);

    [Theory]
    [InlineData("smc", "columnar", "references")]
    [InlineData("smc", "columnar", "keys")]
    [InlineData("smc", "row", "references")]
    [InlineData("smc", "row", "keys")]
    [InlineData("linq", "columnar", "references")]
    [InlineData("linq", "columnar", "keys")]
    [InlineData("duckdb", "columnar", "references")]
    [InlineData("loop", "columnar", "references")]
    public void Every_engine_gives_the_reference_answers(string engine, string layout, string joins)
    {
        SkipWithoutLibrary(engine);

        ProgramRun run = Run("--engines", engine, "--layout", layout, "--joins", joins);

        Assert.Equal((0, 22), (run.ExitCode, Rows(run, "right")));
    }

    [Fact]
    public void All_layouts_and_kinds_of_joins_are_rivals_in_one_table()
    {
        JsonElement json = Json("--engines", "smc,linq", "--layout", "columnar,row", "--joins", "references,keys", "--queries", "q06");

        Assert.Equal(
            ["smc columnar references", "smc columnar keys", "smc row references", "smc row keys", "linq  references", "linq  keys"],
            json.GetProperty("results").EnumerateArray().Select(result =>
                $"{result.GetProperty("engine")} {result.GetProperty("layout")} {result.GetProperty("joins")}"));
    }

    [Theory]
    [InlineData("columnar")]
    [InlineData("row")]
    public void Every_query_is_compiled(string layout)
    {
        ProgramRun run = Run("--engines", "smc", "--layout", layout, "--joins", "references,keys");

        Assert.Equal(2, run.Output.Split('\n').Count(line => line.EndsWith(" 22 queries, 24 kernels, 0 fallbacks", StringComparison.Ordinal)));
    }

    [Fact]
    public void Tables_with_indexes_are_compared_with_those_without()
    {
        ProgramRun run = Run("--engines", "smc", "--queries", "q03,q12", "--joins", "references,keys", "--indexes");

        Assert.Equal((0, 8), (run.ExitCode, Rows(run, "right")));
        Assert.Contains("smc columnar keys indexed", run.Output, StringComparison.Ordinal);
        Assert.Contains("an order by its key", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("WRONG", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Kernels_and_fallbacks_are_counted_for_every_layout_and_kind_of_joins()
    {
        ProgramRun run = Run("--engines", "smc,linq", "--queries", "q01,q06", "--layout", "columnar,row", "--joins", "references,keys");

        Assert.Equal(
            ["smc columnar", "smc columnar keys", "smc row", "smc row keys"],
            run.Output.Split('\n').Where(line => line.EndsWith(": 2 queries, 2 kernels, 0 fallbacks", StringComparison.Ordinal)).Select(line => line.Split(':')[0]));
    }

    [Fact]
    public void Threads_that_an_engine_does_not_use_are_not_claimed()
    {
        ProgramRun run = Run("--engines", "loop", "--queries", "q06", "--threads", "2");

        Assert.Contains("--threads 2: loop run on one thread all the same", run.Error, StringComparison.Ordinal);
        JsonElement json = Json("--engines", "loop", "--queries", "q06", "--threads", "2");
        Assert.Equal(1, json.GetProperty("results")[0].GetProperty("threads").GetInt32());
    }

    [Fact]
    public void Other_parameters_compare_the_engines_with_each_other()
    {
        string parameters = Path.Combine(_output.FullName, "parameters.json");
        File.WriteAllText(parameters, """{ "queries": { "q01": { "params": { "DELTA": 1000 } }, "q06": { "params": { "QUANTITY": 10 } } } }""");

        ProgramRun run = Run("--engines", "loop,linq", "--queries", "q01,q03,q06", "--params", parameters);

        Assert.Equal((0, 6), (run.ExitCode, Rows(run, "right")));
        Assert.Contains("no reference answers for this data and these parameters", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void With_random_parameters_all_engines_give_the_same_answers()
    {
        ProgramRun run = Run("--layout", "columnar,row", "--joins", "references,keys", "--random-params", "1-3");

        int engines = DuckDbLibrary.IsPresent ? 8 : 7;
        Assert.Equal((0, 22 * engines), (run.ExitCode, Rows(run, "right")));
    }

    [Fact]
    public void A_query_is_wrong_when_it_is_wrong_with_one_set_of_parameters()
    {
        var query = QueryCatalog.Named("q06");
        Measurement right = Measured(problem: null), wrong = Measured("row 1, revenue: 2 instead of 1");

        Assert.Equal("row 1, revenue: 2 instead of 1", Measurement.Merge([right, wrong, right]).Problem);

        Measurement Measured(string? problem) => new(query, new LoopEngine(new Model.Database()), Answer: null, problem, IsChecked: true, [1], 0);
    }

    [Fact]
    public void One_engine_alone_with_other_parameters_is_unchecked()
    {
        string parameters = Path.Combine(_output.FullName, "parameters.json");
        File.WriteAllText(parameters, """{ "queries": { } }""");

        ProgramRun run = Run("--engines", "linq", "--params", parameters);

        Assert.Equal((0, 22), (run.ExitCode, Rows(run, "unchecked")));
    }

    [Fact]
    public void The_JSON_has_times_and_correctness_of_every_query_and_engine()
    {
        JsonElement json = Json("--engines", "loop,linq", "--queries", "q01,q02,q03", "--repeat", "2");

        Assert.Equal(0.01, json.GetProperty("sf").GetDouble());
        Assert.Equal(1, json.GetProperty("threads").GetInt32());
        Assert.NotEmpty(json.GetProperty("host").GetString()!);
        Assert.Equal(
            ["q01 loop", "q01 linq", "q02 loop", "q02 linq", "q03 loop", "q03 linq"],
            json.GetProperty("results").EnumerateArray().Select(result => $"{result.GetProperty("query")} {result.GetProperty("engine")}"));
        Assert.All(json.GetProperty("results").EnumerateArray(), result =>
        {
            Assert.True(result.GetProperty("correct").GetBoolean());
            Assert.Equal("references", result.GetProperty("joins").GetString());
            Assert.InRange(result.GetProperty("min_ms").GetDouble(), 0.001, result.GetProperty("median_ms").GetDouble());
            Assert.InRange(result.GetProperty("allocated_bytes").GetInt64(), 1, long.MaxValue);
        });
    }

    [Fact]
    public void Answers_are_written_as_files()
    {
        string answers = Path.Combine(_output.FullName, "answers");

        Run("--engines", "linq", "--answers", answers);

        Assert.Equal("revenue\n1193053.2253\n", File.ReadAllText(Path.Combine(answers, "q06.csv")));
        string[] orders = File.ReadAllLines(Path.Combine(answers, "q03.csv"));
        Assert.Equal(11, orders.Length);
        Assert.Equal("47714|267010.5894|1995-03-11|0", orders[1]);
        string firstGroup = File.ReadAllLines(Path.Combine(answers, "q01.csv"))[1];
        Assert.StartsWith("A|F|380456.00|532348211.65|505822441.4861|526165934.000839|25.575154611454", firstGroup, StringComparison.Ordinal);
    }

    [Fact]
    public void Data_that_is_not_dbgens_has_no_reference_answers()
    {
        File.AppendAllText(Path.Combine(data.Directory, "region.tbl"), "5|ATLANTIS|sunk|\n");
        try
        {
            ProgramRun run = Run("--engines", "loop,linq", "--queries", "q06");

            Assert.Equal((0, 2), (run.ExitCode, Rows(run, "right")));
            Assert.Contains("engines are compared with each other", run.Error, StringComparison.Ordinal);
        }
        finally
        {
            string[] regions = File.ReadAllLines(Path.Combine(data.Directory, "region.tbl"));
            File.WriteAllText(Path.Combine(data.Directory, "region.tbl"), string.Join('\n', regions[..^1]) + "\n");
        }
    }

    [Fact]
    public void A_malformed_line_is_named_with_its_file_and_nothing_is_run()
    {
        using var folder = Tbl.TblFolder.With(Table.Region, "0|AFRICA|fine|\nx|ASIA|bad key|\n"u8);

        ProgramRun run = ProgramRun.Of("run", "--data", folder.Directory.FullName);

        Assert.Equal(3, run.ExitCode);
        Assert.Contains("region.tbl, line 2, column 1 (r_regionkey)", run.Error, StringComparison.Ordinal);
        Assert.Empty(run.Output);
    }

    [Fact]
    public void A_cancelled_run_says_so()
    {
        ProgramRun run = ProgramRun.Of(new CancellationToken(canceled: true), "run", "--data", data.Directory, "--engines", "linq");

        Assert.Equal((130, ""), (run.ExitCode, run.Output));
        Assert.EndsWith("cancelled\n", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Explain_shows_SQL_with_its_parameters_and_the_plan()
    {
        SkipWithoutLibrary("duckdb");

        ProgramRun run = Run("--engines", "duckdb", "--queries", "q06", "--explain");

        Assert.Contains("l_shipdate >= DATE '1994-01-01'", run.Output, StringComparison.Ordinal);
        Assert.Contains("UNGROUPED_AGGREGATE", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("columnar")]
    [InlineData("row")]
    public void Explain_shows_the_plan_and_the_loop_that_a_query_was_compiled_to(string layout)
    {
        ProgramRun run = Run("--engines", "smc", "--layout", layout, "--queries", "q06", "--explain");

        Assert.Contains("Scan lineItems as TpcH.Model.LineItem", run.Output, StringComparison.Ordinal);
        Assert.Contains("static class Q06_Run", run.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("columnar")]
    [InlineData("row")]
    public void Compiled_queries_allocate_nothing_but_their_result(string layout)
    {
        JsonElement json = Json("--engines", "smc", "--layout", layout, "--queries", "q01,q03,q06", "--repeat", "3");

        // Four rows of query 1, ten of query 3, each with its list; the number of query 6 is kept where it is.
        Assert.Equal([("q01", 632), ("q03", 696), ("q06", 0)], json.GetProperty("results").EnumerateArray()
            .Select(result => (result.GetProperty("query").GetString()!, result.GetProperty("allocated_bytes").GetInt32())));
    }

    private static void SkipWithoutLibrary(string engine) =>
        Assert.SkipUnless(engine != "duckdb" || DuckDbLibrary.IsPresent, $"There is no DuckDB here; {DuckDbLibrary.Advice}.");

    private ProgramRun Run(params string[] arguments) => ProgramRun.Of(["run", "--data", data.Directory, "--repeat", "1", .. arguments]);

    private JsonElement Json(params string[] arguments)
    {
        string file = Path.Combine(_output.FullName, "results.json");
        ProgramRun.Of(["run", "--data", data.Directory, "--json", file, .. arguments]);
        using JsonDocument document = JsonDocument.Parse(File.ReadAllText(file));
        return document.RootElement.Clone();
    }

    private static int Rows(ProgramRun run, string answer) =>
        run.Output.Split('\n').Count(line => line.TrimEnd(' ', '|').EndsWith("| " + answer, StringComparison.Ordinal));
}
