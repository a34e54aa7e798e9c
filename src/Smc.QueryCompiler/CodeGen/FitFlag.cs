namespace Smc.QueryCompiler.CodeGen;

/// <summary>A local that text sets where a number does not fit 64 bits, for text of which only its writer says what that means. Elsewhere the fast variant gives up at such a number.</summary>
/// <param name="name">The local.</param>
internal sealed class FitFlag(string name)
{
    /// <summary>Whether text sets it.</summary>
    public bool IsSet { get; private set; }

    /// <summary>The argument by which a number that does not fit is told.</summary>
    public string Argument()
    {
        IsSet = true;
        return "ref " + name;
    }
}
