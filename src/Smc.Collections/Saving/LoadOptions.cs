using Smc.Memory;

namespace Smc.Collections;

/// <summary>How collections are loaded.</summary>
public sealed record LoadOptions
{
    internal static LoadOptions Default { get; } = new();

    /// <summary>The threads that read in turn, check and decode, the calling one among them. Default: the number of processors.</summary>
    public int DegreeOfParallelism { get; init; } = Environment.ProcessorCount;

    /// <summary>The manager that provides and limits the memory. Default: <see cref="MemoryManager.Default"/>.</summary>
    public MemoryManager? Manager { get; init; }

    /// <summary>The options of each collection, by its name; name and manager are set afterwards. If null, they are the default ones.</summary>
    public Func<string, CollectionOptions>? CollectionOptions { get; init; }

    /// <summary>Receives the progress, on the calling thread; null if not needed.</summary>
    public IProgress<DatabaseProgress>? Progress { get; init; }

    /// <summary>Ends it early.</summary>
    public CancellationToken CancellationToken { get; init; }

    internal static void Validate(LoadOptions options)
    {
        if (options.DegreeOfParallelism < 1)
            throw new ArgumentOutOfRangeException(nameof(options), options.DegreeOfParallelism, "DegreeOfParallelism is at least 1.");
    }

    internal CollectionOptions OptionsOf(string name) =>
        (CollectionOptions?.Invoke(name) ?? new CollectionOptions()) is var options && Manager is null ? options with { Name = name } : options with { Name = name, Manager = Manager };
}
