using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Smc.Memory.Epochs;

/// <summary>
/// The thread slots of the process: chunks of native memory, never freed, as many as there were threads at one time.
/// A thread gets a slot at its first critical section; the slot comes back once the thread has ended.
/// </summary>
/// <remarks>
/// Claiming and giving back are rare (once a thread), so they share one lock, under which the table of owners changes together with the
/// slots. Nothing waits for it on the way into a critical section. A dead thread is found by asking it
/// (<see cref="Thread.IsAlive"/>), before the table grows and when its announcement is in an advancer's way.
/// </remarks>
internal static class ThreadSlots
{
    private const int SlotsPerChunk = 64;

    private static readonly Lock s_lock = new();
    private static readonly Stack<int> s_free = new();
    private static volatile nint[] s_chunks = [];
    private static Thread?[] s_owners = [];
    private static int s_used;
    private static long s_leaked;

    /// <summary>The slot of the calling thread.</summary>
    public static unsafe ThreadSlot* Current
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            ThreadSlot* slot = ThreadSlot.t_current;
            return slot != null ? slot : Attach();
        }
    }

    /// <summary>Slots below this index may be in use. It never falls.</summary>
    public static int Used => Volatile.Read(ref s_used);

    /// <summary>Critical sections that were never left because their thread ended inside.</summary>
    public static long LeakedSections => Volatile.Read(ref s_leaked);

    /// <safety>The index must be below <see cref="Used"/>.</safety>
    public static unsafe ThreadSlot* At(int index) =>
        (ThreadSlot*)s_chunks[index / SlotsPerChunk] + index % SlotsPerChunk;

    /// <summary>The thread that owns a slot, or null.</summary>
    public static Thread? OwnerOf(int index)
    {
        lock (s_lock) return s_owners[index];
    }

    /// <summary>Gives the calling thread's slot back before the thread ends. Does nothing inside a critical section.</summary>
    public static unsafe bool Detach()
    {
        ThreadSlot* slot = ThreadSlot.t_current;
        if (slot == null) return true;
        if (AsymmetricFence.IsInside(slot) || (slot->Window & 1) != 0) return false;
        ThreadSlot.t_current = null;
        lock (s_lock) Release(slot->Index);
        return true;
    }

    /// <summary>Takes the slot back if its thread has ended.</summary>
    public static bool ReclaimIfDead(int index)
    {
        lock (s_lock)
        {
            if (s_owners[index] is not { IsAlive: false }) return false;
            Release(index);
            return true;
        }
    }

    /// <summary>Takes back the slots of all threads that have ended.</summary>
    public static int ReclaimDead()
    {
        lock (s_lock) return ReclaimDeadLocked();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe ThreadSlot* Attach()
    {
        lock (s_lock)
        {
            if (s_free.Count == 0 && ReclaimDeadLocked() == 0) AddChunk();
            int index = s_free.Pop();
            s_owners[index] = Thread.CurrentThread;
            ThreadSlot* slot = At(index);
            // SAFETY: At returns a slot of a chunk that is never freed, and nobody else owns this one.
            slot->Index = index;
            slot->Debt = 0;
            slot->ReportedAnnouncement = 0;
            // Full fence: whoever finds the slot without an owner after this thread's first announcement would take the thread for gone.
            Interlocked.Exchange(ref slot->IsOwned, 1);
            if (index >= s_used) Volatile.Write(ref s_used, index + 1);
            return ThreadSlot.t_current = slot;
        }
    }

    private static int ReclaimDeadLocked()
    {
        int reclaimed = 0;
        for (int i = 0; i < s_used; i++)
        {
            if (s_owners[i] is not { IsAlive: false }) continue;
            Release(i);
            reclaimed++;
        }
        return reclaimed;
    }

    private static unsafe void Release(int index)
    {
        ThreadSlot* slot = At(index);
        // SAFETY: slots are never freed; the owner has ended or is the caller, so nobody else writes this one.
        if (slot->Announced != 0)
        {
            s_leaked++;
            Volatile.Write(ref slot->Announced, 0);
        }
        if ((slot->Window & 1) != 0) Volatile.Write(ref slot->Window, slot->Window + 1);
        s_owners[index] = null;
        Volatile.Write(ref slot->IsOwned, 0);
        s_free.Push(index);
    }

    private static unsafe void AddChunk()
    {
        nint chunk = (nint)NativeMemory.AlignedAlloc(SlotsPerChunk * ThreadSlot.SizeInBytes, ThreadSlot.SizeInBytes);
        // SAFETY: just allocated with this size.
        NativeMemory.Clear((void*)chunk, SlotsPerChunk * ThreadSlot.SizeInBytes);
        int first = s_chunks.Length * SlotsPerChunk;
        Array.Resize(ref s_owners, first + SlotsPerChunk);
        s_chunks = [.. s_chunks, chunk];
        for (int i = first + SlotsPerChunk - 1; i >= first; i--) s_free.Push(i);
    }
}
