using Xunit;

namespace TpcH.Tests.Cli;

public sealed class CommandLineTests
{
    private const int Usage = 2;

    [Theory]
    [InlineData("unknown verb 'walk'; there are run, params, generate, refresh, compact, aged, pauses", "walk")]
    [InlineData("unknown option '--fast' of run; there are --sf, --data, --queries, --engines, --layout", "run", "--fast")]
    [InlineData("unknown option '--sf' of tpch; there are", "--sf", "1")]
    [InlineData("unknown query 'q23'; there are q01, q02, q03", "run", "--queries", "q01,q23")]
    [InlineData("unknown query 'Q1'; there are q01, q02, q03", "run", "--queries", "Q1")]
    [InlineData("--queries names no query; there are q01", "run", "--queries", ",")]
    [InlineData("unknown engine 'sqlite'; there are smc, loop, linq, duckdb", "run", "--engines", "sqlite")]
    [InlineData("unknown layout 'diagonal'; there are columnar, row", "run", "--layout", "diagonal")]
    [InlineData("unknown kind of joins 'rowid'; there are references, keys", "run", "--joins", "rowid")]
    [InlineData("--threads takes a whole number from 1 on, not '0'", "run", "--threads", "0")]
    [InlineData("--repeat takes a whole number from 1 on, not '1.5'", "run", "--repeat", "1.5")]
    [InlineData("--sf takes a number above 0 and up to 10000, not '-1'", "run", "--sf", "-1")]
    [InlineData("--sf takes a number above 0 and up to 10000, not 'big'", "generate", "--sf", "big")]
    [InlineData("--random-params takes a whole number from 1 on or a range such as 1-20, not '20-1'", "run", "--random-params", "20-1")]
    [InlineData("--random-params takes a whole number from 1 on or a range such as 1-20, not '1-2-3'", "run", "--random-params", "1-2-3")]
    [InlineData("--params and --random-params exclude each other", "run", "--random-params", "1", "--params", "x.json")]
    [InlineData("--seed takes a whole number from 1 on, not '0'", "params", "--seed", "0")]
    [InlineData("Required argument missing for option: '--json'", "run", "--json")]
    [InlineData("there are no checksums for scale factor 0.02; there are some for 0.01, 0.1, 1", "generate", "--sf", "0.02", "--verify")]
    [InlineData("--rows takes a whole number from 1 on, not 'many'", "pauses", "--rows", "1,many")]
    [InlineData("--rounds takes a whole number from 1 on, not '0'", "refresh", "--rounds", "0")]
    [InlineData("--rounds takes a whole number up to 999, not '1000'", "refresh", "--rounds", "1000")]
    [InlineData("--refresh takes a whole number up to 999, not '2000'", "generate", "--refresh", "2000")]
    [InlineData("unknown layout 'diagonal'; there are columnar, row", "refresh", "--layout", "diagonal")]
    [InlineData("unknown query 'q23'; there are q01, q02, q03", "refresh", "--queries", "q23")]
    [InlineData("--joins takes one kind of joins; there are references, keys", "refresh", "--joins", "references,keys")]
    [InlineData("at scale factor 0.006 refresh sets are empty; they are not from 0.007 on", "refresh", "--sf", "0.006")]
    public void What_does_not_exist_is_answered_in_one_line_with_what_does(string message, params string[] arguments)
    {
        ProgramRun run = ProgramRun.Of(arguments);

        Assert.Equal(Usage, run.ExitCode);
        Assert.StartsWith(message, run.Error, StringComparison.Ordinal);
        Assert.Single(run.Error.TrimEnd('\n').Split('\n'));
        Assert.Empty(run.Output);
    }

    [Fact]
    public void A_parameter_file_that_is_not_there_is_a_usage_error()
    {
        ProgramRun run = ProgramRun.Of("run", "--params", "/does/not/exist.json");

        Assert.Equal(Usage, run.ExitCode);
        Assert.StartsWith("/does/not/exist.json: ", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Params_writes_the_standard_parameters_or_random_ones_to_stdout()
    {
        Assert.Contains("\"DISCOUNT\": \"0.06\"", ProgramRun.Of("params").Output, StringComparison.Ordinal);
        Assert.NotEqual(ProgramRun.Of("params", "--seed", "1").Output, ProgramRun.Of("params", "--seed", "2").Output);
    }

    [Fact]
    public void Help_lists_the_options()
    {
        ProgramRun run = ProgramRun.Of("run", "--help");

        Assert.Equal(0, run.ExitCode);
        Assert.Contains("--repeat <number>", run.Output, StringComparison.Ordinal);
    }
}
