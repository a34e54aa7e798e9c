using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>The numbers of elements that a look-up found, one after the other. Good until the next look-up with the same scratch memory.</summary>
/// <param name="address">Where the first number lies.</param>
/// <param name="count">How many there are.</param>
/// <param name="stride">From one number to the next.</param>
/// <safety>So many numbers lie there, in the query's region.</safety>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct FoundElements(ulong address, int count, int stride)
{
    private readonly ulong _stride = (ulong)stride;
    private readonly ulong _end = address + ((ulong)count * (ulong)stride);
    private ulong _next = address;

    internal readonly int Count => count;

    /// <summary>Gives the next number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Next(out int number)
    {
        bool isThere = _next != _end;
        number = isThere ? KernelMemory.Read<int>(_next) : 0;
        _next += _stride;
        return isThere;
    }
}
