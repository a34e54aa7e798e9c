using System.ComponentModel;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>The options of the query that the calling thread runs. Ambient, so that they reach scans and regions at any depth of a kernel.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class KernelOptions
{
    [ThreadStatic]
    private static QueryOptions? t_current;

    /// <summary>The options.</summary>
    public static QueryOptions Current => t_current ?? QueryOptions.Default;

    /// <summary>Sets the options for this thread until the scope ends. Those of a query inside another one, when it has none of its own, are those around it.</summary>
    public static Scope Use(QueryOptions options)
    {
        if (ReferenceEquals(options, QueryOptions.Default))
            return default;
        options.CancellationToken.ThrowIfCancellationRequested();
        Scope scope = new(t_current, RegionBudget.Current);
        t_current = options;
        if (options.MemoryLimit is { } limit)
            RegionBudget.Current = new RegionBudget(limit);
        return scope;
    }

    /// <summary>Joins a thread to the query that runs on another one, with its options and its memory limit.</summary>
    /// <param name="options"><see cref="Current"/> of the other thread.</param>
    /// <param name="budget"><see cref="RegionBudget.Current"/> of the other thread.</param>
    public static Scope Join(QueryOptions options, RegionBudget? budget)
    {
        Scope scope = new(t_current, RegionBudget.Current);
        t_current = options;
        RegionBudget.Current = budget;
        return scope;
    }

    /// <summary>Ends the query when it has been cancelled.</summary>
    /// <exception cref="OperationCanceledException">It has.</exception>
    public static void ThrowIfCancelled() => t_current?.CancellationToken.ThrowIfCancellationRequested();

    /// <summary>Restores the options that were in force before.</summary>
    public readonly ref struct Scope : IDisposable
    {
        private readonly QueryOptions? _options;
        private readonly RegionBudget? _budget;
        private readonly bool _isSet;

        internal Scope(QueryOptions? options, RegionBudget? budget)
        {
            _options = options;
            _budget = budget;
            _isSet = true;
        }

        /// <inheritdoc/>
        public void Dispose()
        {
            if (!_isSet)
                return;
            t_current = _options;
            RegionBudget.Current = _budget;
        }
    }
}
