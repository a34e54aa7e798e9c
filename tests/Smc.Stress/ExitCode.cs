namespace Smc.Stress;

/// <summary>What the program tells its caller.</summary>
internal static class ExitCode
{
    public const int Held = 0;
    public const int Violated = 1;

    /// <summary>The run proves nothing: too little happened. Not a pass.</summary>
    public const int Inconclusive = 2;

    /// <summary>An option or a name does not exist.</summary>
    public const int Usage = 2;
}
