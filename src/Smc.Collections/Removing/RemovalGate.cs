using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Removing;

/// <summary>The removals of one manager that must look who refers to their rows: one at a time.</summary>
/// <remarks>
/// Who removes opens its <see cref="WriteWindow"/> before it takes the turn, and keeps it: a snapshot that is to be taken waits for the windows of those who wait for the turn, so the one
/// who has it must not wait for the snapshot. Thereby a snapshot sees all of a removal or nothing.
/// </remarks>
internal sealed class RemovalGate
{
    // Neither keeps what it is of: an abandoned manager, or a type of an assembly that is unloaded.
    private static readonly ConditionalWeakTable<MemoryManager, RemovalGate> s_gates = new();
    private readonly ConditionalWeakTable<Type, ReferrersTo> _referrers = new();

    // A removal that was begun anew so often lets no row leave its closure any more.
    private const int FreeAttempts = 8;

    private readonly Lock _turn = new();
    private RowClosure? _current;
    private bool _holdsSetters;

    /// <summary>The removal that is at work; null if there is none.</summary>
    public RowClosure? Current => Volatile.Read(ref _current);

    /// <summary>
    /// Whether setters that take a row away from another one with which it would be removed have to wait, since they had a removal begin anew too often. They wait outside of their stripe, so the
    /// removal ends: those that had looked before it said so have it begin anew once more each, at most.
    /// </summary>
    public bool HoldsSetters => Volatile.Read(ref _holdsSetters);

    /// <summary>The one of a manager.</summary>
    public static RemovalGate Of(MemoryManager manager) => s_gates.GetValue(manager, static _ => new RemovalGate());

    /// <summary>Who refers to the rows of a type.</summary>
    public ReferrersTo ReferrersTo(Type target) => _referrers.GetValue(target, _ => new ReferrersTo(this));

    /// <summary>Removes rows of one collection, with all that their removal takes along.</summary>
    /// <param name="context">The collection.</param>
    /// <param name="referrers">Who refers to its rows.</param>
    /// <param name="handles">The rows; those that are gone are left out.</param>
    /// <returns>How many rows of the collection this call removed.</returns>
    /// <exception cref="RowReferencedException">A row that stays refers to one of them. Nothing has changed.</exception>
    public long Remove(MemoryContext context, ReferrersTo referrers, ReadOnlySpan<ulong> handles)
    {
        using WriteWindow window = WriteWindow.Enter();
        lock (_turn)
        {
            try
            {
                for (int attempt = 0; ; attempt++)
                {
                    Volatile.Write(ref _holdsSetters, attempt >= FreeAttempts);
                    RowClosure closure = new();
                    Volatile.Write(ref _current, closure);
                    try
                    {
                        if (closure.TryRemove(context, referrers, handles))
                            return closure.RemovedOf(context);
                    }
                    finally
                    {
                        closure.End();
                        Volatile.Write(ref _current, null);
                    }
                }
            }
            finally
            {
                Volatile.Write(ref _holdsSetters, false);
            }
        }
    }
}
