using System.Diagnostics;
using System.Runtime.CompilerServices;
using Smc.Collections.Kernels;
using Smc.Memory;
using Smc.Memory.Allocation;

namespace Micro;

/// <summary>
/// What the operations of the memory manager cost below <c>Collection</c>: places for rows, rows coming and going, following a handle. Batches of some microseconds, of which the shortest and
/// the fifth percentile are printed, which a machine that others use changes least. Two builds are compared in turn.
/// </summary>
internal static class MemoryStudy
{
    public const string Verb = "memory";

    private const int Capacity = 8192;
    private const int Batch = 500;
    private const int Rows = 400_000;
    private const int Run = 100;
    private const int Rounds = 6;

    private static readonly BlockLayout s_layout = MakeLayout();

    // Constants, as they are for a generated setter.
    private static readonly int s_offset = s_layout.Columns[1].Offset;
    private static readonly int s_stride = s_layout.Columns[1].Stride;

    private readonly struct WrittenRow;

    public static void Measure()
    {
        Dictionary<string, List<double>> times = [];
        using MemoryManager manager = new();
        for (int round = 0; round < Rounds; round++) MeasureOnce(manager, times);
        foreach ((string name, List<double> batches) in times)
        {
            batches.Sort();
            Console.WriteLine($"{name,-28} {batches[0],6:F1} ns, fifth percentile {batches[batches.Count / 20],6:F1} ns");
        }
    }

    private static void MeasureOnce(MemoryManager manager, Dictionary<string, List<double>> times)
    {
        using MemoryContext context = new(manager, s_layout, nameof(MemoryStudy), new MemoryContextOptions { CompactionOccupancy = 0, MaxRows = 1 << 22 });
        ulong[] handles = new ulong[Rows];
        foreach (Memory<ulong> batch in Batches(handles))
        {
            Time(times, "allocate and publish", () => Add(context, batch.Span));
            Time(times, "follow a handle", () => Locate(batch.Span));
            // In cache, and often: what snapshots take of a setter is less than a nanosecond.
            for (int i = 0; i < 4; i++)
            {
                Time(times, "write a value", () => Write(batch.Span));
                Time(times, "the same without snapshots", () => WriteWithoutWindow(batch.Span));
            }
        }
        foreach (Memory<ulong> batch in Batches(handles)) Time(times, "remove", () => Remove(context, batch.Span));
        for (int i = 0; i < 3; i++) Epoch.TryAdvance();
        foreach (Memory<ulong> batch in Batches(handles)) Time(times, "the same in places re-used", () => Add(context, batch.Span));
        for (int i = 0; i < Rows / Batch / 4; i++)
        {
            Time(times, $"in runs of {Run}", () => AddRuns(context));
            Time(times, "allocate and abandon", () => Abandon(context));
        }
    }

    private static IEnumerable<Memory<ulong>> Batches(ulong[] handles)
    {
        for (int i = 0; i < Rows; i += Batch) yield return handles.AsMemory(i, Batch);
    }

    private static void Time(Dictionary<string, List<double>> times, string name, Action batch)
    {
        long start = Stopwatch.GetTimestamp();
        batch();
        double nanoseconds = Stopwatch.GetElapsedTime(start).TotalNanoseconds / Batch;
        if (!times.TryGetValue(name, out List<double>? batches)) times[name] = batches = [];
        batches.Add(nanoseconds);
    }

    private static void Add(MemoryContext context, Span<ulong> handles)
    {
        for (int i = 0; i < handles.Length; i++)
        {
            using CriticalSection section = context.AdditionGate.Enter();
            RowSlot row = context.Allocator.Allocate();
            handles[i] = context.Publisher.Publish(row);
        }
    }

    private static void AddRuns(MemoryContext context)
    {
        for (int rows = 0; rows < Batch;)
        {
            using CriticalSection section = context.AdditionGate.Enter();
            RowRun run = context.Allocator.AllocateRun(Math.Min(Run, Batch - rows));
            context.Publisher.Publish(run);
            rows += run.Count;
        }
    }

    private static void Abandon(MemoryContext context)
    {
        for (int i = 0; i < Batch; i++)
        {
            using CriticalSection section = context.AdditionGate.Enter();
            context.Publisher.Abandon(context.Allocator.Allocate());
        }
    }

    private static void Locate(ReadOnlySpan<ulong> handles)
    {
        foreach (ulong handle in handles)
        {
            using CriticalSection section = CriticalSection.Enter();
            if (!Handle.TryLocate(handle, out _)) throw new InvalidOperationException("A row is not found.");
        }
    }

    private static void Write(ReadOnlySpan<ulong> handles)
    {
        foreach (ulong handle in handles) WriteOne(handle);
    }

    // What the generated setter of a column without zone map calls. Not inlined, nor is what it is compared with: the thread's slot would be looked up once for one of the loops.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteOne(ulong handle) => RowAccess.Set<WrittenRow, ulong>(handle, s_offset, s_stride, handle);

    private static void WriteWithoutWindow(ReadOnlySpan<ulong> handles)
    {
        foreach (ulong handle in handles) WriteOneWithoutWindow(handle);
    }

    // As that would be if there were no snapshots, and no indexes: no window, and no look whether there are any.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteOneWithoutWindow(ulong handle)
    {
        CriticalSection section = CriticalSection.Enter();
        if (handle == 0 || !RowWriter.IsInPlace(handle)) throw new InvalidOperationException("A row is not found.");
        RowAccess.Write(RowWriter.PlaceOf(handle).AddressOf(s_offset, s_stride), handle);
        section.Dispose();
    }

    private static void Remove(MemoryContext context, ReadOnlySpan<ulong> handles)
    {
        foreach (ulong handle in handles)
        {
            if (!context.Removal.TryRemove(handle)) throw new InvalidOperationException("A row is not removed.");
        }
    }

    private static BlockLayout MakeLayout()
    {
        int zone = BlockLayout.FirstFreeOffset(Capacity);
        int values = zone + 64;
        return new BlockLayout("Row", BlockLayoutKind.Columnar, Capacity, 4 * BlockLayout.BlockAlignment, 16, 1,
            new ColumnLayout("First", values, 8, 8, ColumnStorage.Plain, ZoneMapOffset: zone),
            new ColumnLayout("Second", values + 8 * Capacity, 8, 8, ColumnStorage.Plain));
    }
}
