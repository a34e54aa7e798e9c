namespace Smc.Memory.Tests;

/// <summary>The mode that makes accesses to freed memory visible. It is chosen once a process, so each case is a process.</summary>
public sealed class GuardTests
{
    // Killed by a signal (128 + SIGABRT), or 0xC0000005 on Windows.
    private const int Aborted = 134;
    private const int AccessViolation = unchecked((int)0xC0000005);

    [Fact]
    public void A_late_access_ends_the_process_where_it_happens()
    {
        (int exitCode, string output) = StressProgram.Run("--late-access --guard");
        Assert.Equal(OperatingSystem.IsWindows() ? AccessViolation : Aborted, exitCode);
        Assert.Contains("Smc.Stress.LateAccess.Run()", output, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_the_mode_nobody_notices()
    {
        (int exitCode, string output) = StressProgram.Run("--late-access");
        Assert.Equal(0, exitCode);
        // The block has neighbours, so it stays mapped; in builds with invariants it is poisoned.
        Assert.Contains("reading a freed block: dededededededede", output, StringComparison.Ordinal);
    }
}
