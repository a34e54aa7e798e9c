using System.ComponentModel;
using Smc.Memory.Diagnostics;
using Smc.Memory.Reachability;

namespace Smc.Memory;

/// <summary>A sorted table from keys to handles, whose rows stay while they are retired, until it is disposed: what a map consists of that is declared as a root.</summary>
/// <remarks>
/// Invariant: a handle is admitted (<see cref="ReferenceBarrier"/>) and stored in one window. So a scan sees each handle that was stored before it began, and the others have a mark, as with the reference column of
/// a row that is never retired (docs/models/reachability.pml: row X). Handles that move to another chunk meanwhile are seen by the promise of <see cref="OrderedCursor"/>.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RootTable : IDisposable
{
    private readonly OrderedTable _table;

    /// <summary>Makes an empty table with a heap of its own, which keeps rows from now on.</summary>
    /// <inheritdoc cref="OrderedTable(MemoryManager, SliceHeapOptions, int?, int?)"/>
    public RootTable(MemoryManager? manager, SliceHeapOptions options, int? keyLength, int? capacity)
    {
        _table = new OrderedTable(manager, options, keyLength, capacity);
        _table.Heap.Manager.Roots.Add(this);
    }

    /// <summary>The heap of keys and chunks.</summary>
    public SliceHeap Heap => _table.Heap;

    /// <inheritdoc cref="OrderedTable.Count"/>
    public long Count => _table.Count;

    /// <inheritdoc cref="OrderedTable.TryFind"/>
    public bool TryFind(ReadOnlySpan<byte> key, out ulong handle) => _table.TryFind(key, out handle);

    /// <summary>Sets the handle of a key that is absent, or of any key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="handle">The handle, not 0.</param>
    /// <param name="replaces">True to set it also if the key is present.</param>
    /// <param name="isPut">False if the key is present and <paramref name="replaces"/> is false.</param>
    /// <returns>False, and nothing has changed, if there is no such row any more.</returns>
    /// <exception cref="ArgumentException">The row is of another manager, whose scans do not see the table.</exception>
    /// <inheritdoc cref="OrderedTable.Put" path="/exception"/>
    public bool TryPut(ReadOnlySpan<byte> key, ulong handle, bool replaces, out bool isPut)
    {
        isPut = false;
        using WriteWindow window = WriteWindow.Enter();
        if (!TryAdmit(handle)) return false;
        ProtocolSteps.Reach(ProtocolStep.RootAdmitted);
        isPut = _table.Put(key, handle, replaces) == 0 || replaces;
        return true;
    }

    /// <summary>Sets the handle of a key that has another one.</summary>
    /// <param name="key">The key.</param>
    /// <param name="expected">The handle that it has to have, not 0.</param>
    /// <param name="handle">The handle, not 0.</param>
    /// <param name="isPut">False if the key has not the expected handle.</param>
    /// <inheritdoc cref="TryPut" path="/returns|/exception"/>
    public bool TryReplace(ReadOnlySpan<byte> key, ulong expected, ulong handle, out bool isPut)
    {
        isPut = false;
        using WriteWindow window = WriteWindow.Enter();
        if (!TryAdmit(handle)) return false;
        isPut = _table.TryReplace(key, expected, handle);
        return true;
    }

    /// <summary>Removes a key. Its row is kept no longer.</summary>
    /// <returns>The handle that it had; 0 if it was absent.</returns>
    /// <inheritdoc cref="OrderedTable.Remove" path="/exception"/>
    public ulong Remove(ReadOnlySpan<byte> key) => _table.Remove(key);

    /// <inheritdoc cref="OrderedTable.Scan"/>
    public OrderedCursor Scan(KeyBound? from, KeyBound? to, bool isDescending) => _table.Scan(from, to, isDescending);

    /// <summary>Keeps no row any more, and ends the table (<see cref="OrderedTable.Dispose"/>).</summary>
    public void Dispose()
    {
        Heap.Manager.Roots.Remove(this);
        _table.Dispose();
    }

    /// <safety>The caller is inside a window, in which it stores the handle if it is admitted.</safety>
    private bool TryAdmit(ulong handle)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (handle == 0 || !Handle.TryLocate(handle, out _) || MemoryContext.Find(handle) is not { } context) return false;
        if (context.Manager != Heap.Manager)
            throw new ArgumentException($"The row belongs to '{context.Name}' of manager '{context.Manager.Name}'. '{Heap.Name}' is a map of manager '{Heap.Manager.Name}' and keeps rows of that one only.", nameof(handle));
        // Looked at again: a scan that was at work at the first look may have removed the row and ended, and then admits everything.
        return ReferenceBarrier.Admit(handle) != 0 && Handle.TryLocate(handle, out _);
    }
}
