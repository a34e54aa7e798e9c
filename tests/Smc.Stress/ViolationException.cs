namespace Smc.Stress;

/// <summary>Something happened that the library promises will not.</summary>
internal sealed class ViolationException(string message) : Exception(message)
{
    public static void Require(bool condition, string violation)
    {
        if (!condition) throw new ViolationException(violation);
    }
}
