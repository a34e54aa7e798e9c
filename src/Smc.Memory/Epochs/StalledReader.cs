using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;

namespace Smc.Memory;

/// <summary>A thread whose critical section holds the global epoch back.</summary>
/// <param name="ManagedThreadId">The thread, as <see cref="Thread.ManagedThreadId"/> names it; 0 if it has ended.</param>
/// <param name="ThreadName">Its name, if it has one.</param>
/// <param name="EpochsBehind">How far its announced epoch is behind the global one.</param>
/// <param name="AtLeast">It has been inside for at least so long: the epoch that came after its own began then.</param>
/// <param name="Stack">Where it entered, if the switch <c>Smc.ReaderStacks</c> is on.</param>
public readonly record struct StalledReader(int ManagedThreadId, string? ThreadName, long EpochsBehind, TimeSpan AtLeast, string? Stack)
{
    /// <summary>Thread, age and, if it is known, stack.</summary>
    public override string ToString() =>
        $"thread {ManagedThreadId} ({ThreadName ?? "without a name"}), inside a critical section for at least {AtLeast.TotalSeconds:0.###} s" +
        (Stack is null ? "" : $", entered{Environment.NewLine}{Stack}");

    internal static StalledReader? Find() => FindIndex(out long now, out long announced) is >= 0 and int index ? Describe(index, announced, now) : null;

    /// <summary>Tells the oldest reader, unless its section was told before.</summary>
    /// <param name="garbage">Bytes that wait.</param>
    internal static unsafe void Report(long garbage)
    {
        int index = FindIndex(out long now, out long announced);
        if (index < 0) return;
        ThreadSlot* slot = ThreadSlots.At(index);
        // SAFETY: slots are never freed. One caller at a time.
        if (slot->ReportedAnnouncement == announced) return;
        slot->ReportedAnnouncement = announced;
        Interlocked.Increment(ref Epoch.s_stalls);
        StalledReader reader = Describe(index, announced, now);
        MemoryEventSource.Log.ReaderStalled(
            reader.ManagedThreadId, reader.ThreadName ?? "", reader.AtLeast.TotalMilliseconds, garbage, reader.Stack ?? "");
    }

    private static unsafe int FindIndex(out long now, out long announced)
    {
        now = GlobalEpoch.Now;
        announced = now + 1;
        int found = -1;
        int used = ThreadSlots.Used;
        for (int i = 0; i < used; i++)
        {
            // SAFETY: slots are never freed.
            long word = Announcement.OfSection(Volatile.Read(ref ThreadSlots.At(i)->Announced));
            if (word == 0 || word >= announced) continue;
            announced = word;
            found = i;
        }
        return found;
    }

    private static StalledReader Describe(int index, long announced, long now)
    {
        Thread? owner = ThreadSlots.OwnerOf(index);
        // It announced epoch announced - 1, so it was inside when the epoch after that began.
        TimeSpan age = Epoch.Age(announced);
        return new StalledReader(owner?.ManagedThreadId ?? 0, owner?.Name, now + 1 - announced, age, ReaderStacks.Of(index));
    }
}
