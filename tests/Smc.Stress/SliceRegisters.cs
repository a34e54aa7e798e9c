using Smc.Memory;
using Smc.Stress.Linearizability;

namespace Smc.Stress;

/// <summary>
/// Slices that hold one number each, several times over: who reads must find equal numbers. Small versions and lengths that change from slice to
/// slice make places change hands between tenants of many kinds.
/// </summary>
internal sealed class SliceRegisters(SliceHeap heap) : IRegisters
{
    private const int FewestCopies = 2;
    private const int MostCopies = 5;

    public SliceHeap Heap => heap;

    public ulong Add(long value) => heap.Allocate(
        (FewestCopies + (int)(value % (MostCopies - FewestCopies + 1))) * sizeof(long), value, static (bytes, number) => Fill(bytes, number)).ToUInt64();

    public bool TryRead(ulong handle, out long value)
    {
        if (!heap.TryRead(SafePtr.FromUInt64(handle), 0, static (bytes, _) => Read(bytes), out (long First, bool IsWhole) found))
        {
            value = 0;
            return false;
        }
        if (!found.IsWhole) throw new InvalidOperationException("a read returned numbers of different writes");
        value = found.First;
        return true;
    }

    public bool TryWrite(ulong handle, long value) => heap.TryWrite(SafePtr.FromUInt64(handle), value, static (bytes, number) => Fill(bytes, number));

    public bool TryRemove(ulong handle) => heap.TryDelete(SafePtr.FromUInt64(handle));

    public bool IsAlive(ulong handle)
    {
        using SliceScope scope = heap.OpenRead(SafePtr.FromUInt64(handle));
        if (scope.IsOpen && !Read(scope.Bytes).IsWhole) throw new InvalidOperationException("a scope shows numbers of different writes");
        return scope.IsOpen;
    }

    private static void Fill(Span<byte> bytes, long number)
    {
        for (int at = 0; at < bytes.Length; at += sizeof(long)) BitConverter.TryWriteBytes(bytes[at..], number);
    }

    private static (long First, bool IsWhole) Read(ReadOnlySpan<byte> bytes)
    {
        // Any bytes may come, of any length.
        if (bytes.Length < sizeof(long) || bytes.Length % sizeof(long) != 0) return (0, false);
        long first = BitConverter.ToInt64(bytes);
        for (int at = sizeof(long); at < bytes.Length; at += sizeof(long))
        {
            if (BitConverter.ToInt64(bytes[at..]) != first) return (first, false);
        }
        return (first, true);
    }
}
