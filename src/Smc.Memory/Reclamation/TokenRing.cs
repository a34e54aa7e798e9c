using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;

namespace Smc.Memory.Reclamation;

/// <summary>
/// Moves the epoch on by a token that goes round the threads, slot by slot (Token-EBR, Kim, Brown, Singh, PPoPP 2024, section 4). Its holder passes
/// it on at the end of an operation, when it is outside of sections. A token that does not move is taken over: whoever has made garbage looks at the
/// rest of the threads, as <see cref="Epoch.TryMove"/> does at all of them.
/// </summary>
/// <remarks>
/// <para>Invariant: while the token has epoch e and holder h, every thread with a slot below h was outside of sections, or in one that it entered in
/// epoch e, at some moment since e began. So all sections that these threads are in now were entered in e or later. Past the last slot that holds
/// for all, and the epoch may move to e + 1.</para>
/// <para>A thread that comes after the round began enters its first section after that, and needs no visit. One that leaves is outside. So members
/// join and leave as their slots do, without a word to the ring.</para>
/// <para>Rounds end early if somebody else moves the epoch on. Model: docs/models/tokenring.pml.</para>
/// </remarks>
internal sealed class TokenRing
{
    private const int HolderBits = 20;
    private const int NoHolder = (1 << HolderBits) - 1;

    // Epoch and holder in one word, so that they change together.
    private long _token = NoHolder;
    private long _seen = NoHolder;

    /// <summary>Index of the slot whose thread holds the token, or -1 between two rounds.</summary>
    public int Holder => Volatile.Read(ref _token) is long token && HolderOf(token) != NoHolder ? HolderOf(token) : -1;

    /// <summary>Passes the token on if the calling thread holds it and is outside of sections.</summary>
    /// <param name="own">The slot of the calling thread.</param>
    /// <returns>True if that moved the epoch on.</returns>
    /// <safety>The slot is one of <see cref="ThreadSlots"/>, and its thread does nothing else meanwhile.</safety>
    public unsafe bool TryPass(ThreadSlot* own)
    {
        // Acquire; partner: the CAS of whoever passed it here. The epoch of the token is visible, so later sections are entered in it.
        long token = Volatile.Read(ref _token);
        // SAFETY: slots are never freed.
        if (HolderOf(token) != own->Index || AsymmetricFence.IsInside(own)) return false;
        ProtocolSteps.Reach(ProtocolStep.TokenHeld);
        int next = own->Index + 1;
        // Nobody is there. A thread that comes now begins its first section after this round began.
        while (next < ThreadSlots.Used && Volatile.Read(ref ThreadSlots.At(next)->IsOwned) == 0) next++;
        return TryMove(token, next);
    }

    /// <summary>Begins a round if none is under way.</summary>
    /// <returns>True if one is, and its token has not moved since the last call of any thread: it is to be taken over.</returns>
    public bool BeginOrFindStuck()
    {
        long token = Volatile.Read(ref _token);
        long epoch = GlobalEpoch.Now;
        bool isOver = HolderOf(token) == NoHolder || EpochOf(token) != epoch;
        if (isOver)
        {
            // A full fence: the epoch was read before, and nobody passes the token before.
            long first = Make(epoch, 0);
            if (Interlocked.CompareExchange(ref _token, first, token) == token) Volatile.Write(ref _seen, first);
            return false;
        }
        return Interlocked.Exchange(ref _seen, token) == token;
    }

    /// <summary>Takes the token over from a holder that does not pass it, and goes on with it from thread to thread.</summary>
    /// <returns>True if that moved the epoch on; false if a reader is still in an older epoch or somebody else moved the token or the epoch.</returns>
    public bool TryTakeOver()
    {
        long token = Volatile.Read(ref _token);
        if (HolderOf(token) == NoHolder) return false;
        ProtocolSteps.Reach(ProtocolStep.TokenHeld);
        // After the token's epoch began and before the look at announcements; partner: the announcement in CriticalSection.
        AsymmetricFence.Everywhere();
        ProtocolSteps.Reach(ProtocolStep.AdvanceBarrier);
        int next = HolderOf(token);
        for (; next < ThreadSlots.Used && Epoch.IsReaderIn(next, EpochOf(token)); next++)
        {
            // Its place has no owner from here on, and those who pass the token skip it.
            ThreadSlots.ReclaimIfDead(next);
        }
        return TryMove(token, next);
    }

    private bool TryMove(long token, int next)
    {
        long epoch = EpochOf(token);
        bool isRound = next >= ThreadSlots.Used;
        if (next == HolderOf(token)) return false;
        if (Interlocked.CompareExchange(ref _token, isRound ? Make(epoch, NoHolder) : Make(epoch, next), token) != token) return false;
        ProtocolSteps.Reach(ProtocolStep.TokenPassed);
        return isRound && Epoch.TryIncrement(epoch);
    }

    private static long Make(long epoch, int holder) => epoch << HolderBits | (uint)holder;

    private static long EpochOf(long token) => token >> HolderBits;

    private static int HolderOf(long token) => (int)(token & NoHolder);
}
