using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Smc.Collections.Kernels;

/// <summary>Vector loads and stores by address, for emitted kernels: the user's project then needs no <c>AllowUnsafeBlocks</c>.</summary>
/// <safety>Every address lies in a block or region that the caller's critical section keeps alive, with room for the whole vector.</safety>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class Kernel
{
    /// <summary>Loads a vector of 128 bits; the address need not be aligned.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe Vector128<T> Load128<T>(ulong address)
        where T : unmanaged => Vector128.Load((T*)address); // SAFETY: owed by the caller, here and below.

    /// <summary>Loads a vector of 256 bits; the address need not be aligned.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe Vector256<T> Load256<T>(ulong address)
        where T : unmanaged => Vector256.Load((T*)address);

    /// <summary>Loads a vector of 512 bits; the address need not be aligned.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe Vector512<T> Load512<T>(ulong address)
        where T : unmanaged => Vector512.Load((T*)address);

    /// <summary>Stores a vector of 128 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Store<T>(ulong address, Vector128<T> value)
        where T : unmanaged => value.Store((T*)address);

    /// <summary>Stores a vector of 256 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Store<T>(ulong address, Vector256<T> value)
        where T : unmanaged => value.Store((T*)address);

    /// <summary>Stores a vector of 512 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Store<T>(ulong address, Vector512<T> value)
        where T : unmanaged => value.Store((T*)address);

    /// <summary>Asks for the cache line of an address. Any address will do: a hint does not fault.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Prefetch(ulong address)
    {
        if (Sse.IsSupported)
            Sse.Prefetch0((void*)address);
    }
}
