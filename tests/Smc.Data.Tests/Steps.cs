namespace Smc.Data.Tests;

/// <summary>Reports of progress, as they come.</summary>
internal sealed class Steps(Action<long>? then = null) : List<long>, IProgress<long>
{
    public void Report(long value)
    {
        Add(value);
        then?.Invoke(value);
    }
}
