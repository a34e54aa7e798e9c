using System.Diagnostics;
using Smc.Memory.Epochs;

namespace Smc.Memory;

/// <summary>A thread whose critical section holds the global epoch back.</summary>
/// <param name="ManagedThreadId">The thread, as <see cref="Thread.ManagedThreadId"/> names it; 0 if it has ended.</param>
/// <param name="ThreadName">Its name, if it has one.</param>
/// <param name="EpochsBehind">How far its announced epoch is behind the global one.</param>
/// <param name="AtLeast">Time since an advance first failed because of this section; zero if none has yet.</param>
public readonly record struct StalledReader(int ManagedThreadId, string? ThreadName, long EpochsBehind, TimeSpan AtLeast)
{
    internal static unsafe StalledReader? Find()
    {
        long now = GlobalEpoch.Now;
        long oldest = now + 1;
        int found = -1;
        int used = ThreadSlots.Used;
        for (int i = 0; i < used; i++)
        {
            // SAFETY: slots are never freed.
            long announced = Volatile.Read(ref ThreadSlots.At(i)->Announced);
            if (announced == 0 || announced >= oldest) continue;
            oldest = announced;
            found = i;
        }
        return found < 0 ? null : Describe(found, oldest, now);
    }

    /// <summary>Remembers that an advancer found this announcement in its way.</summary>
    internal static unsafe void Note(ThreadSlot* slot, long announced)
    {
        // SAFETY: slots are never freed. Advancers may race here; the worst is a younger time stamp.
        if (slot->StalledAnnouncement == announced) return;
        slot->StalledSince = Stopwatch.GetTimestamp();
        slot->StalledAnnouncement = announced;
    }

    private static unsafe StalledReader Describe(int index, long announced, long now)
    {
        Thread? owner = ThreadSlots.OwnerOf(index);
        ThreadSlot* slot = ThreadSlots.At(index);
        // SAFETY: slots are never freed.
        TimeSpan age = slot->StalledAnnouncement == announced ? Stopwatch.GetElapsedTime(slot->StalledSince) : TimeSpan.Zero;
        return new StalledReader(owner?.ManagedThreadId ?? 0, owner?.Name, now + 1 - announced, age);
    }
}
