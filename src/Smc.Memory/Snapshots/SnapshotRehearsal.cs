using System.Runtime.CompilerServices;
using Smc.Memory.Blocks;

namespace Smc.Memory.Snapshots;

/// <summary>
/// A snapshot of a small collection, which is written under it, before the first snapshot of the process. What a writer needs to leave a block to a snapshot
/// is compiled by then: otherwise the first writer after the moment would wait for the compiler, for ten milliseconds and more.
/// </summary>
internal static class SnapshotRehearsal
{
    private const int Capacity = 64;
    private static readonly Lock s_lock = new();
    private static bool s_isDone;

    /// <summary>Whether it has been held.</summary>
    public static bool IsDone => Volatile.Read(ref s_isDone);

    /// <summary>Holds the rehearsal, unless it has been held; a caller that comes meanwhile waits for it.</summary>
    public static void Hold()
    {
        // A program that was compiled ahead of time has nothing to wait for.
        if (IsDone || !RuntimeFeature.IsDynamicCodeCompiled) return;
        lock (s_lock)
        {
            if (IsDone) return;
            try
            {
                Play();
            }
            catch (OutOfMemoryException)
            {
                // The first writer waits for the compiler, then.
            }
            catch (TimeoutException)
            {
                // A write group is open, for which the caller is going to wait. The next snapshot tries again.
                return;
            }
            Volatile.Write(ref s_isDone, true);
        }
    }

    private static void Play()
    {
        int data = (BlockLayout.FirstFreeOffset(Capacity) + 63) / 64 * 64;
        BlockLayout layout = new("Rehearsal", BlockLayoutKind.Columnar, Capacity, BlockLayout.BlockAlignment, sizeof(long), 0, new ColumnLayout("Value", data, sizeof(long), sizeof(long), ColumnStorage.Plain));
        using MemoryManager manager = new(new MemoryManagerOptions { Name = "rehearsal of snapshots" });
        using MemoryContext context = new(manager, layout, "rehearsal of snapshots", new MemoryContextOptions { MaxRows = 2 * Capacity });
        ulong first = Add(context), last = first;
        for (int i = 0; i < Capacity; i++) last = Add(context);
        using (SnapshotState.Take([context], TimeSpan.Zero, maxBytes: null, CancellationToken.None))
        {
            // In a block that nobody allocates in, and in one that somebody does.
            Write(first);
            Write(last);
            // Into the block that has just got a successor, whose owner it was taken from.
            Add(context);
        }
    }

    private static ulong Add(MemoryContext context)
    {
        using CriticalSection section = context.EnterToAdd();
        return context.Publish(context.Allocate());
    }

    // As setters do.
    private static void Write(ulong row)
    {
        using WriteSection section = WriteSection.Enter();
        if (RowWriter.TryBegin(row, out _, out bool isLocked) && isLocked) RowWriter.End(row);
    }
}
