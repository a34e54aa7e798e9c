using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <content>Rows that go when nothing refers to them.</content>
public sealed partial class Collection<T>
{
    /// <summary>The number of rows that are retired and not reclaimed yet, at this moment.</summary>
    public long RetiredCount => OpenContext().RetiredRows;

    /// <summary>The bytes of <see cref="RetiredCount"/> rows, without their strings.</summary>
    public long RetiredBytes => RetiredCount * OpenContext().Layout.BytesPerRow;

    /// <summary>
    /// Says that the owner is done with a row. From now on queries, enumerations, indexes and <see cref="Count"/> do not have it; handles and references that exist read and write it as
    /// before. <see cref="MemoryManager.CollectRetired"/> reclaims it when no stored reference leads to it from a row that is not retired, and no <see cref="RootHandle{T}"/> and no <see cref="RootMap{TKey, T}"/> has it.
    /// </summary>
    /// <remarks>
    /// A handle in a variable does not keep the row: after it was reclaimed the handle reads as removed. <see cref="Remove"/> removes a retired row at once. Of several threads that retire one
    /// row, exactly one gets true. Over the soft mark of the manager's <see cref="RetireBudget"/> a scan runs in the background; at the hard mark the call waits for one.
    /// </remarks>
    /// <param name="row">The row.</param>
    /// <returns>True if this call retired the row; false if the handle is null or the row was retired or removed before.</returns>
    /// <exception cref="ArgumentException">The row belongs to another collection.</exception>
    /// <exception cref="InvalidOperationException">The row is being initialised.</exception>
    /// <exception cref="OffHeapMemoryException">The hard mark of the <see cref="RetireBudget"/>, or the manager's limit, leaves no memory; nothing is changed.</exception>
    public bool Retire(T row)
    {
        MemoryContext context = OpenContext();
        return HandleOfOwn(context, row) is not 0 and ulong handle && context.Retirement.TryRetire(handle);
    }

    /// <summary>Retires the rows for which <paramref name="match"/> returns true, one by one (<see cref="Retire"/>).</summary>
    /// <remarks>Other threads may see some rows retired and others not yet; rows that they add meanwhile may be retired or not.</remarks>
    /// <param name="match">The condition, called row by row.</param>
    /// <returns>The number of rows that this call retired.</returns>
    /// <exception cref="OffHeapMemoryException">At the hard mark of the <see cref="RetireBudget"/>: an enumeration does not wait. Rows that were retired by then stay retired.</exception>
    /// <exception cref="OperationCanceledException">As for every enumeration in a scope of <see cref="Query.Use"/>. Rows that were retired by then stay retired.</exception>
    public long RetireWhere(Func<T, bool> match)
    {
        ArgumentNullException.ThrowIfNull(match);
        MemoryContext context = OpenContext();
        return EndWhere(match, handle => context.Retirement.TryRetire(handle) ? 1 : 0);
    }
}
