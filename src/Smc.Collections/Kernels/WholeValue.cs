using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// Reads and writes stored values so that a reader gets the whole of one write, never parts of two.
/// </summary>
/// <remarks>
/// A value of up to 8 bytes is one access of the processor. So is one of 16 bytes at a multiple of 16 where <see cref="AreVectorsAtomic"/>, which is
/// where the layout puts it. All others, structs of 12 or 24 bytes for example, are guarded by a sequence number: odd while a thread writes, another
/// one after that. Numbers are shared by addresses, as those of different rows seldom meet.
/// </remarks>
internal static class WholeValue
{
    private const int GuardBits = 8;

    /// <summary>Guards a cache line apart from each other, in units of <see cref="uint"/>.</summary>
    private const int GuardStride = 16;

    private static readonly uint[] s_guards = new uint[(1 << GuardBits) * GuardStride];

    /// <summary>
    /// True if the processor reads and writes 16 aligned bytes at once. x64 does if it has AVX (Intel SDM volume 3, 9.1.1; AMD64 volume 2, 7.3.2). Arm64 with LSE2
    /// promises it for pairs of general registers, which .NET does not offer, and not for the vectors that it does. The switch <c>Smc.GuardedWideValues</c>
    /// (AppContext, read once) makes it false.
    /// </summary>
    public static readonly bool AreVectorsAtomic =
        !(AppContext.TryGetSwitch("Smc.GuardedWideValues", out bool guarded) && guarded) && Avx.IsSupported;

    /// <summary>Reads a value.</summary>
    /// <safety>The address holds a <typeparamref name="T"/> in a block that the caller's critical section keeps alive.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe T Read<T>(ulong address)
        where T : unmanaged
    {
        // SAFETY: the caller's promise. The conditions on T fold per instantiation.
        if (typeof(T).IsPrimitive || sizeof(T) == 1)
            return Unsafe.ReadUnaligned<T>((void*)address);
        // Below, locals that are used twice, or whose address is taken: the JIT cannot make two loads of them. Of a bit cast of a load it makes one load for each field.
        if (sizeof(T) == 2 && IsAligned<T>(address))
        {
            ushort word = Volatile.Read(ref *(ushort*)address);
            return Unsafe.As<ushort, T>(ref word);
        }

        if (sizeof(T) == 4 && IsAligned<T>(address))
        {
            uint word = Volatile.Read(ref *(uint*)address);
            return Unsafe.As<uint, T>(ref word);
        }

        if (sizeof(T) == 8 && IsAligned<T>(address))
        {
            ulong word = Volatile.Read(ref *(ulong*)address);
            return Unsafe.As<ulong, T>(ref word);
        }

        if (sizeof(T) == 16 && AreVectorsAtomic && IsAligned<T>(address))
        {
            Vector128<ulong> value = Vector128.LoadAligned((ulong*)address);
            if (typeof(T) == typeof(Int128) || typeof(T) == typeof(UInt128))
                return Unsafe.BitCast<Halves, T>(new Halves(value.ToScalar(), value.GetElement(1)));
            return Unsafe.As<Vector128<ulong>, T>(ref value);
        }

        return ReadGuarded<T>(address);
    }

    /// <summary>Writes a value.</summary>
    /// <safety>As for <see cref="Read{T}"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe void Write<T>(ulong address, T value)
        where T : unmanaged
    {
        // SAFETY: as in Read.
        if (typeof(T).IsPrimitive || sizeof(T) == 1)
        {
            Unsafe.WriteUnaligned((void*)address, value);
        }
        else if (sizeof(T) == 2 && IsAligned<T>(address))
        {
            Volatile.Write(ref *(ushort*)address, Unsafe.BitCast<T, ushort>(value));
        }
        else if (sizeof(T) == 4 && IsAligned<T>(address))
        {
            Volatile.Write(ref *(uint*)address, Unsafe.BitCast<T, uint>(value));
        }
        else if (sizeof(T) == 8 && IsAligned<T>(address))
        {
            Volatile.Write(ref *(ulong*)address, Unsafe.BitCast<T, ulong>(value));
        }
        else if (sizeof(T) == 16 && AreVectorsAtomic && IsAligned<T>(address))
        {
            Halves halves = Unsafe.BitCast<T, Halves>(value);
            Vector128.Create(halves.Low, halves.High).StoreAligned((ulong*)address);
        }
        else
        {
            WriteGuarded(address, value);
        }
    }

    /// <summary>Copies neighbouring values, each of them whole.</summary>
    /// <param name="address">The first value.</param>
    /// <param name="values">Takes the values.</param>
    /// <param name="width">Bytes of a value.</param>
    /// <safety>The values lie in a block that the caller's critical section keeps alive, at a multiple of their width where that is a power of 2.</safety>
    public static unsafe void Copy(ulong address, Span<byte> values, int width)
    {
        if (width is not (1 or 2 or 4 or 8 or 16) || !AreVectorsAtomic)
        {
            for (int at = 0; at < values.Length; at += width)
                Copy(address + (ulong)at, values.Slice(at, width));
            return;
        }

        // Loads of 16 bytes at multiples of 16 are whole, and so are the values in them; what is before and after is less than 16 bytes.
        int begin = Math.Min((int)((16 - (address & 15)) & 15), values.Length);
        for (int at = 0; at < begin; at += width)
            Copy(address + (ulong)at, values.Slice(at, width));
        int end = begin + ((values.Length - begin) & ~15);
        fixed (byte* target = values)
        {
            // SAFETY: the caller's promise; the target has room up to end.
            for (int at = begin; at < end; at += 16)
                Vector128.LoadAligned((byte*)address + at).Store(target + at);
        }

        for (int at = end; at < values.Length; at += width)
            Copy(address + (ulong)at, values.Slice(at, width));
    }

    /// <summary>Copies one value, as wide as the target.</summary>
    /// <safety>As for <see cref="Read{T}"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(ulong address, Span<byte> value)
    {
        switch (value.Length)
        {
            case 1: value[0] = Read<byte>(address); break;
            case 2: MemoryMarshal.Write(value, Read<ushort>(address)); break;
            case 4: MemoryMarshal.Write(value, Read<uint>(address)); break;
            case 8: MemoryMarshal.Write(value, Read<ulong>(address)); break;
            case 16: MemoryMarshal.Write(value, Read<UInt128>(address)); break;
            default: CopyGuarded(address, value); break;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void CopyGuarded(ulong address, Span<byte> value)
    {
        ref uint guard = ref GuardOf(address);
        SpinWait spin = default;
        while (true)
        {
            uint before = Volatile.Read(ref guard);
            // SAFETY: the caller's promise.
            new ReadOnlySpan<byte>((void*)address, value.Length).CopyTo(value);
            // As in ReadGuarded.
            Interlocked.MemoryBarrier();
            if ((before & 1) == 0 && Volatile.Read(ref guard) == before)
                return;
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe bool IsAligned<T>(ulong address)
        where T : unmanaged => (address & ((ulong)sizeof(T) - 1)) == 0;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe T ReadGuarded<T>(ulong address)
        where T : unmanaged
    {
        ref uint guard = ref GuardOf(address);
        SpinWait spin = default;
        while (true)
        {
            uint before = Volatile.Read(ref guard);
            // SAFETY: the caller's promise.
            T value = Unsafe.ReadUnaligned<T>((void*)address);
            // The value is read before the number is read again; partner: the exchange in WriteGuarded.
            Interlocked.MemoryBarrier();
            if ((before & 1) == 0 && Volatile.Read(ref guard) == before)
                return value;
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void WriteGuarded<T>(ulong address, T value)
        where T : unmanaged
    {
        ref uint guard = ref GuardOf(address);
        SpinWait spin = default;
        uint before = Volatile.Read(ref guard);
        while ((before & 1) != 0 || Interlocked.CompareExchange(ref guard, before + 1, before) != before)
        {
            spin.SpinOnce(sleep1Threshold: -1);
            before = Volatile.Read(ref guard);
        }

        // SAFETY: the caller's promise. The exchange above is a full fence, so no reader sees the value with the number before; the release below ends the write.
        Unsafe.WriteUnaligned((void*)address, value);
        Volatile.Write(ref guard, before + 2);
    }

    private static ref uint GuardOf(ulong address) => ref s_guards[(int)(KeyWords.Spread(address) >> (64 - GuardBits)) * GuardStride];

    private readonly record struct Halves(ulong Low, ulong High);
}
