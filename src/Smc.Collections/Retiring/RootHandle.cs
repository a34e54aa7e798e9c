using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>A handle outside of collections that keeps its row while that is retired: a session's current order, the head of a list. Thread-safe.</summary>
/// <remarks>It does not keep the row from <see cref="Collection{T}.Remove"/>. Forgotten without <see cref="Dispose"/> it keeps the row as long as its collection lives.</remarks>
/// <typeparam name="T">The row type.</typeparam>
public sealed class RootHandle<T> : IDisposable
    where T : unmanaged
{
    private readonly RowRoot _root;

    /// <summary>Makes a root of a row, retired or not.</summary>
    /// <param name="row">The row.</param>
    /// <exception cref="RowRemovedException">The row is gone.</exception>
    /// <exception cref="NullReferenceException">The handle is null.</exception>
    public RootHandle(T row)
    {
        ulong handle = RowHandle.ToBits(row);
        RowRoot? root = RowRoot.TryMake(handle);
        if (root is null)
            RowAccess.ThrowNotReadable<T>(handle);
        _root = root!;
    }

    /// <summary>The row.</summary>
    public T Row => RowHandle.FromBits<T>(_root.Handle);

    /// <summary>The row is kept no longer by this handle.</summary>
    public void Dispose() => _root.Dispose();
}
