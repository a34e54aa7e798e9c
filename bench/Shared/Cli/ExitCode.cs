namespace Bench.Shared;

internal static class ExitCode
{
    public const int Success = 0;

    /// <summary>A wrong answer, a wrong checksum, or a goal that was missed.</summary>
    public const int Wrong = 1;

    public const int Usage = 2;

    /// <summary>The data could not be read or written.</summary>
    public const int Data = 3;

    /// <summary>What shells report for a program that Ctrl-C ended.</summary>
    public const int Cancelled = 130;
}
