using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>A tabular struct is one 64-bit handle: these see it as a number and back.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class RowHandle
{
    /// <summary>The handle of a row, 0 for the null handle.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ToBits<T>(T row)
        where T : unmanaged => Unsafe.BitCast<T, ulong>(row);

    /// <summary>The row of a handle. The caller vouches that the handle belongs to a row of type <typeparamref name="T"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T FromBits<T>(ulong bits)
        where T : unmanaged => Unsafe.BitCast<ulong, T>(bits);

    /// <summary>The handle of an optional row, 0 for null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ToBitsNullable<T>(T? row)
        where T : unmanaged => Unsafe.BitCast<T, ulong>(row.GetValueOrDefault());

    /// <summary>The optional row of a handle, null for 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T? FromBitsNullable<T>(ulong bits)
        where T : unmanaged => bits == 0 ? null : Unsafe.BitCast<ulong, T>(bits);
}
