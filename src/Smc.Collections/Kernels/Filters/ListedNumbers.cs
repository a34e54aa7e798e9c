using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary><c>numbers.Contains(number)</c>: the integers of an array, a list or a small set are copied once and compared as they are (<see cref="ListedElements"/>). Other sequences are asked.</summary>
/// <typeparam name="T">An integer or <c>char</c>.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ListedNumbers<T>
    where T : unmanaged, IBinaryInteger<T>
{
    /// <summary>More numbers are compared with an end at the first that is equal.</summary>
    private const int Few = 64;

    private readonly IEnumerable<T>? _sequence;
    private readonly KnownAnswers _known;
    private readonly ulong _numbers;
    private readonly int _count;

    private ListedNumbers(ulong numbers, int count)
    {
        _numbers = numbers;
        _count = count;
    }

    private ListedNumbers(IEnumerable<T>? sequence, KnownAnswers known)
    {
        _sequence = sequence;
        _known = known;
    }

    /// <summary>Takes the numbers.</summary>
    /// <param name="numbers">The numbers; null raises when somebody asks.</param>
    /// <param name="region">Where they go.</param>
    public static unsafe ListedNumbers<T> Of(IEnumerable<T>? numbers, ref Region region)
    {
        if (ListedElements.TryTake(numbers) is not { } taken)
            return new ListedNumbers<T>(numbers, KnownAnswers.Create(ref region));
        int count = taken.Count;
        ulong memory = region.Allocate(Math.Max(1L, count) * sizeof(T) + Vector256<byte>.Count), next = memory;
        // Others may have added to a list, or taken out of it, since it was counted.
        foreach (T number in taken.Take(count))
        {
            KernelMemory.Write(next, number);
            next += (ulong)sizeof(T);
        }

        count = (int)((next - memory) / (ulong)sizeof(T));

        // The last number again, up to a whole vector.
        for (int i = 0; i < Vector256<byte>.Count / sizeof(T) && count > 0; i++)
            KernelMemory.Write(next + ((ulong)i * (ulong)sizeof(T)), KernelMemory.Read<T>(next - (ulong)sizeof(T)));
        return new ListedNumbers<T>(memory, count);
    }

    /// <summary>Whether a number is one of them.</summary>
    /// <exception cref="ArgumentNullException">There is no sequence.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Contains(T number) => _numbers == 0 ? Ask(number) : Unsafe.SizeOf<T>() switch
    {
        _ when _count > Few => IsAmong(number),
        sizeof(byte) => IsAmongFew<byte>(number),
        sizeof(ushort) => IsAmongFew<ushort>(number),
        sizeof(uint) => IsAmongFew<uint>(number),
        sizeof(ulong) => IsAmongFew<ulong>(number),
        _ => IsAmong(number),
    };

    /// <summary>Compares whole vectors, without an end in between.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining | MethodImplOptions.AggressiveOptimization)]
    private unsafe bool IsAmongFew<TLane>(T number)
        where TLane : unmanaged
    {
        Vector256<TLane> wanted = Vector256.Create(Unsafe.BitCast<T, TLane>(number)), found = default;
        // SAFETY: written by Of, a vector more than there are; the region lives as long as the query.
        for (int i = 0; i < _count; i += Vector256<TLane>.Count)
            found |= Vector256.Equals(Vector256.Load((TLane*)_numbers + i), wanted);
        return found != default;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private unsafe bool IsAmong(T number) => new ReadOnlySpan<T>((T*)_numbers, _count).Contains(number); // SAFETY: as above.

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private bool Ask(T number)
    {
        ulong question = ulong.CreateTruncating(number);
        return _known.TryGet(question, out bool answer) ? answer : _known.Keep(question, Enumerable.Contains(_sequence!, number));
    }
}
