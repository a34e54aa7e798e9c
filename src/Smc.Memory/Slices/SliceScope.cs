using Smc.Memory.Slices;

namespace Smc.Memory;

/// <summary>
/// A reader inside a slice: as long as it is open, the bytes do not change and are not freed, also when the slice is deleted meanwhile or its heap
/// disposed. Writers wait. Made by <see cref="SliceHeap.OpenRead"/>.
/// </summary>
/// <remarks>
/// It must be disposed once and not be copied. As a ref struct it cannot be kept across <c>await</c>. A thread that stays inside keeps this one slice
/// (and its block) and nothing else: it is in no critical section.
/// <code>
/// using SliceScope scope = heap.OpenRead(pointer);
/// if (scope.IsOpen) Use(scope.Bytes);
/// </code>
/// </remarks>
public ref struct SliceScope : IDisposable
{
    private SlicePlace _place;

    internal SliceScope(SlicePlace place)
    {
        _place = place;
        // Inside, the length is that of the tenant.
        Bytes = place.Bytes(place.Length);
    }

    /// <summary>False if the slice was deleted before the scope could be opened.</summary>
    public readonly bool IsOpen => _place.Block is not null;

    /// <summary>The bytes of the slice; empty if the scope is not open. Not to be used after <see cref="Dispose"/>.</summary>
    public ReadOnlySpan<byte> Bytes { get; private set; }

    /// <summary>Leaves the slice, and releases it if it was deleted and nobody else is inside.</summary>
    public void Dispose()
    {
        if (!IsOpen) return;
        SlicePlace place = _place;
        this = default;
        SliceAccess.LeaveReader(place);
    }
}
