namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>What running a query gave: a result or an exception.</summary>
internal sealed record Outcome(object? Result, Exception? Exception)
{
    public static Outcome Of(Func<object?> query)
    {
        try
        {
            return new Outcome(query(), Exception: null);
        }
        catch (Exception exception)
        {
            return new Outcome(Result: null, exception);
        }
    }
}
