namespace Smc.Memory.Tests;

/// <summary>The short form of the stress program: it is built with the tests and run as a process of its own.</summary>
public sealed class StressTests
{
    [Theory]
    [InlineData("--scenario all --threads 4 --seed 1", 8)]
    [InlineData("--scenario all --threads 3 --seed 2 --fenced", 4)]
    [InlineData("--scenario all --threads 3 --seed 3 --guard", 4)]
    [InlineData("--scenario all --threads 4 --seed 4 --reclamation amortised", 4)]
    [InlineData("--scenario all --threads 4 --seed 6 --reclamation tokenring", 4)]
    [InlineData("--scenario change --threads 4 --seed 5", 12)]
    [InlineData("--mutant all", 60)]
    public void The_short_form_passes(string arguments, int seconds)
    {
        (int exitCode, string output) = StressProgram.Run($"{arguments} --seconds {seconds}");
        // What failed comes first: logs show the beginning of a message.
        IEnumerable<string> failed = output.Split('\n').Where(static line => !line.Contains(" held ", StringComparison.Ordinal) && !line.Contains(" caught ", StringComparison.Ordinal));
        Assert.True(exitCode == 0, $"Smc.Stress {arguments} ended with {exitCode}:\n{string.Join('\n', failed)}\nAll it said:\n{output}");
    }

    [Fact]
    public void A_caught_mutant_is_a_violation() => Assert.Equal(1, StressProgram.Run("--mutant reuse-after-one-epoch --seconds 20").ExitCode);

    [Theory]
    [InlineData("--scenario nonsense")]
    [InlineData("--mutant nonsense")]
    [InlineData("--scenario change --mechanism nonsense")]
    [InlineData("--nonsense")]
    [InlineData("--seconds never")]
    public void What_it_does_not_know_it_says(string arguments)
    {
        (int exitCode, string output) = StressProgram.Run(arguments);
        Assert.Equal(2, exitCode);
        Assert.Single(output.Trim().Split('\n'));
    }

    [Fact]
    public void It_lists_scenarios_and_mutants()
    {
        string output = StressProgram.Run("--list").Output;
        Assert.Contains("litmus", output, StringComparison.Ordinal);
        Assert.Contains("no-barrier", output, StringComparison.Ordinal);
    }
}
