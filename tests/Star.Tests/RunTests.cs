using Bench.Shared.DuckDb;
using Xunit;

namespace Star.Tests;

public sealed class RunTests
{
    [Theory]
    [InlineData("1")]
    [InlineData("2")]
    public void Both_forms_of_all_queries_answer_as_LINQ_to_Objects(string threads)
    {
        ProgramRun run = ProgramRun.Of("run", "--rows", "20000", "--repeat", "1", "--engines", "smc,linq", "--threads", threads);

        Assert.Contains("answers right: 39 of 39 (compared with linq navigation)", run.Output, StringComparison.Ordinal);
        Assert.Equal(0, run.ExitCode);
    }

    [Fact]
    public void Both_forms_of_all_queries_answer_as_DuckDB()
    {
        Assert.SkipUnless(DuckDbLibrary.IsPresent, DuckDbLibrary.Advice);

        ProgramRun run = ProgramRun.Of("run", "--rows", "20000", "--repeat", "1", "--engines", "smc,linq,duckdb");

        Assert.Contains("answers right: 52 of 52 (compared with duckdb)", run.Output, StringComparison.Ordinal);
        Assert.Equal(0, run.ExitCode);
    }

    [Fact]
    public void Queries_over_few_sales_answer_alike_too()
    {
        ProgramRun run = ProgramRun.Of("run", "--rows", "1", "--repeat", "1");

        Assert.Equal(0, run.ExitCode);
    }

    [Fact]
    public void The_table_is_Markdown_with_a_row_for_each_query_and_form_and_with_means()
    {
        ProgramRun run = ProgramRun.Of("run", "--rows", "1000", "--repeat", "2", "--engines", "smc", "--queries", "1.1,4.3");

        string[] lines = run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        Assert.Equal(
            ["query", "1.1", "1.1", "4.3", "4.3", "geometric mean", "geometric mean"],
            lines.Where(line => line.StartsWith("| ", StringComparison.Ordinal)).Select(line => line.Split('|')[1].Trim()));
        Assert.StartsWith("|--", lines[1], StringComparison.Ordinal);
        Assert.Equal("answers right: 2 of 2 (compared with smc navigation)", lines[^1]);
    }

    [Theory]
    [InlineData("--queries", "5.1", "unknown query '5.1'")]
    [InlineData("--forms", "loops", "unknown form 'loops'")]
    [InlineData("--rows", "0", "--rows takes a whole number from 1 on")]
    public void What_does_not_exist_is_refused(string option, string value, string message)
    {
        ProgramRun run = ProgramRun.Of("run", option, value);

        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.StartsWith(message, run.Error, StringComparison.Ordinal);
    }
}
