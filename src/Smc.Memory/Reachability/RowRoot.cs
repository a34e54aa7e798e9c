using System.ComponentModel;
using Smc.Memory.Epochs;
using Smc.Memory.Reachability;

namespace Smc.Memory;

/// <summary>A handle in managed memory that keeps its row when that is retired, until it is disposed.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowRoot : IDisposable
{
    private RowRoots? _roots;

    private RowRoot(ulong handle, RowRoots roots)
    {
        Handle = handle;
        _roots = roots;
    }

    /// <summary>The handle.</summary>
    public ulong Handle { get; }

    /// <summary>Makes a root of a row's handle.</summary>
    /// <returns>Null if there is no such row any more.</returns>
    public static RowRoot? TryMake(ulong handle)
    {
        using CriticalSection section = CriticalSection.Enter();
        // As a store: admitted and added in one window.
        using WriteWindow window = WriteWindow.Enter();
        // Admitted before the row is looked for: a scan that removes it may have ended by then, and then admits everything.
        if (handle == 0 || MemoryContext.Find(handle) is not { } context || ReferenceBarrier.Admit(handle) == 0 || !Memory.Handle.TryLocate(handle, out _)) return null;
        RowRoot root = new(handle, context.Manager.Roots);
        context.Manager.Roots.Add(root);
        return root;
    }

    /// <inheritdoc/>
    public void Dispose() => Interlocked.Exchange(ref _roots, null)?.Remove(this);
}
