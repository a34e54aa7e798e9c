using BenchmarkDotNet.Attributes;
using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Micro;

/// <summary>
/// What following a reference costs a kernel, and what direct pointers (DESIGN 4.4) would save: a direct pointer is simulated by the row's location and a
/// look at its slot's word in the slot directory, which is where an incarnation would be. With and without prefetching of later rows. docs/decisions/0007.
/// </summary>
public class ReferenceBenchmarks
{
    private const int N = 2_000_000;      // references followed
    private const int Far = 24, Near = 12;  // rows ahead: first the entry, then the value
    private const uint States = 3u << 30, Valid = 2u << 30;

    private readonly ulong[] _handles = new ulong[N + Far];
    private readonly ulong[] _locations = new ulong[N + Far];
    private Collection<Trade> _trades = null!;
    private ulong _column, _stride, _directory;
    private long _expected;

    /// <summary>Rows that are referred to.</summary>
    [Params(100_000, 1_000_000, 10_000_000)]
    public int Targets { get; set; }

    /// <summary>Whether neighbouring references lead to neighbouring rows.</summary>
    [Params(false, true)]
    public bool Clustered { get; set; }

    [GlobalSetup]
    public void Fill()
    {
        _trades = new Collection<Trade>();
        Trade[] rows = new Trade[Targets];
        for (int i = 0; i < Targets; i++)
            rows[i] = _trades.Add(id: i, instrument: i, account: i, time: DateTime.UnixEpoch, price: i, quantity: i, weight: i);
        Random random = new(1);
        using CriticalSection section = CriticalSection.Enter();
        for (int i = 0; i < _handles.Length; i++)
        {
            int target = Clustered ? (int)((long)i * Targets / _handles.Length) : random.Next(Targets);
            _handles[i] = RowHandle.ToBits(rows[target]);
            _locations[i] = RowAccess.Locate<Trade>(_handles[i]);
            _expected += i < N ? target : 0;
        }

        BlockLayout layout = CollectionAccess.Context(_trades).Layout;
        ColumnLayout id = layout.Columns[0];
        (_column, _stride) = ((ulong)id.Offset, (ulong)id.Stride);
        _directory = (ulong)BlockLayout.SlotDirectoryOffset(layout.Capacity);
        if (Entries() != _expected || Direct() != _expected || EntriesAhead() != _expected || DirectAhead() != _expected)
            throw new InvalidOperationException("All ways must lead to the same rows.");
    }

    [Benchmark(OperationsPerInvoke = N, Baseline = true)]
    public long Entries()
    {
        using CriticalSection section = CriticalSection.Enter();
        long sum = 0;
        for (int i = 0; i < N; i++)
            sum += KernelMemory.Read<long>(KernelMemory.AddressAt(RowAccess.Locate<Trade>(_handles[i]), _column, _stride));
        return sum;
    }

    [Benchmark(OperationsPerInvoke = N)]
    public long EntriesAhead()
    {
        using CriticalSection section = CriticalSection.Enter();
        long sum = 0;
        for (int i = 0; i < N; i++)
        {
            Handle.Prefetch(_handles[i + Far]);
            if (Handle.TryLocate(_handles[i + Near], out RowLocation location))
                KernelMemory.Prefetch(KernelMemory.AddressAt(location.Bits, _column, _stride));
            sum += KernelMemory.Read<long>(KernelMemory.AddressAt(RowAccess.Locate<Trade>(_handles[i]), _column, _stride));
        }

        return sum;
    }

    [Benchmark(OperationsPerInvoke = N)]
    public long Direct()
    {
        using CriticalSection section = CriticalSection.Enter();
        long sum = 0;
        for (int i = 0; i < N; i++)
            sum += KernelMemory.Read<long>(KernelMemory.AddressAt(Checked(_locations[i]), _column, _stride));
        return sum;
    }

    [Benchmark(OperationsPerInvoke = N)]
    public long DirectAhead()
    {
        using CriticalSection section = CriticalSection.Enter();
        long sum = 0;
        for (int i = 0; i < N; i++)
        {
            ulong later = _locations[i + Far];
            KernelMemory.Prefetch(KernelMemory.AddressAt(later, _directory, sizeof(uint)));
            KernelMemory.Prefetch(KernelMemory.AddressAt(later, _column, _stride));
            sum += KernelMemory.Read<long>(KernelMemory.AddressAt(Checked(_locations[i]), _column, _stride));
        }

        return sum;
    }

    [GlobalCleanup]
    public void Free() => _trades.Dispose();

    private ulong Checked(ulong location)
    {
        if ((KernelMemory.Read<uint>(KernelMemory.AddressAt(location, _directory, sizeof(uint))) & States) != Valid)
            RowAccess.ThrowNotReadable<Trade>(1);
        return location;
    }
}
