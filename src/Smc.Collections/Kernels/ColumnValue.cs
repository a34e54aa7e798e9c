using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Smc.Collections.Kernels;

/// <summary>Stored values as kernels turn them into C# values.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ColumnValue
{
    /// <summary>A value of a column that may take more than one word, whole, whoever writes it meanwhile.</summary>
    /// <safety>The address is that of the value in a block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Read<T>(ulong address)
        where T : unmanaged => WholeValue.Read<T>(address);

    /// <summary>A value of a column with a null bitmap.</summary>
    /// <safety>The addresses are those of the value, and of the column's null bitmap in the same block.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T? ReadNullable<T>(ulong address, ulong nulls, ulong slot)
        where T : unmanaged => NullBitmap.IsSet(nulls, slot) ? null : Read<T>(address);

    /// <summary>As <see cref="ReadNullable{T}"/>, of the row at a location.</summary>
    /// <safety>The location is that of a row whose layout has the column.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T? ReadNullableAt<T>(ulong location, ulong offset, ulong stride, ulong nulls)
        where T : unmanaged =>
        ReadNullable<T>(KernelMemory.AddressAt(location, offset, stride), (location & ~0xFFFFUL) + nulls, location & 0xFFFF);

    /// <summary>A stored truth value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Boolean(byte stored) => stored != 0;

    /// <inheritdoc cref="Boolean(byte)"/>
    public static bool? Boolean(byte? stored) => stored is { } value ? value != 0 : null;

    /// <summary>A date from its day number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static DateOnly DateOnly(int stored) => System.DateOnly.FromDayNumber(stored);

    /// <inheritdoc cref="DateOnly(int)"/>
    public static DateOnly? DateOnly(int? stored) => stored is { } value ? System.DateOnly.FromDayNumber(value) : null;

    /// <summary>A time from its ticks.</summary>
    public static TimeOnly TimeOnly(long stored) => new(stored);

    /// <inheritdoc cref="TimeOnly(long)"/>
    public static TimeOnly? TimeOnly(long? stored) => stored is { } value ? new TimeOnly(value) : null;

    /// <summary>A span of time from its ticks.</summary>
    public static TimeSpan TimeSpan(long stored) => new(stored);

    /// <inheritdoc cref="TimeSpan(long)"/>
    public static TimeSpan? TimeSpan(long? stored) => stored is { } value ? new TimeSpan(value) : null;

    /// <summary>A decimal from its units.</summary>
    public static decimal Decimal(long stored, int scale) => ScaledDecimal.ToDecimal(stored, scale);

    /// <inheritdoc cref="Decimal(long, int)"/>
    public static decimal Decimal(int stored, int scale) => ScaledDecimal.ToDecimal((long)stored, scale);

    /// <inheritdoc cref="Decimal(long, int)"/>
    public static decimal? Decimal(long? stored, int scale) => stored is { } value ? ScaledDecimal.ToDecimal(value, scale) : null;

    /// <inheritdoc cref="Decimal(long, int)"/>
    public static decimal? Decimal(int? stored, int scale) => stored is { } value ? ScaledDecimal.ToDecimal(value, scale) : null;

    /// <inheritdoc cref="Decimal(long, int)"/>
    public static decimal Decimal(Int128 stored, int scale) => ScaledDecimal.ToDecimal(stored, scale);

    /// <inheritdoc cref="Decimal(long, int)"/>
    public static decimal? Decimal(Int128? stored, int scale) => stored is { } value ? ScaledDecimal.ToDecimal(value, scale) : null;
}
