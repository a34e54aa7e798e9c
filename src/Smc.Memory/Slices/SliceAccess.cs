using Smc.Memory.Diagnostics;
using Smc.Memory.Platform;

namespace Smc.Memory.Slices;

/// <summary>Who gets into a slice, by its header: readers that check afterwards, readers and writers that are inside, who publishes it, who deletes it, and who is the last one out.</summary>
/// <remarks>
/// Invariants: whoever finds a slice through its pointer is in a critical section, which keeps the block mapped, whatever becomes of the slice. One compare-and-swap enters: it announces and
/// validates at once. A slice that somebody is inside is not released; exactly one interlocked operation leaves the header deleted with nobody inside, and who did it releases the slice.
/// docs/models/slices.pml.
/// </remarks>
/// <param name="heap">Whose slices: pointers to those of others find nothing.</param>
internal sealed class SliceAccess(SliceHeap heap)
{
    private enum Outcome
    {
        Done,

        /// <summary>The pointer's slice is deleted.</summary>
        Gone,

        /// <summary>Somebody else is inside, or was while the caller looked.</summary>
        Busy,
    }

    /// <summary>See <see cref="SliceHeap.TryRead{TState, TResult}"/>.</summary>
    public bool TryRead<TState, TResult>(SafePtr slice, TState state, SliceReader<TState, TResult> reader, out TResult? result)
        where TState : allows ref struct
    {
        ShortWait wait = default;
        while (true)
        {
            Outcome outcome = AttemptRead(slice, state, reader, out result);
            if (outcome != Outcome.Busy) return outcome == Outcome.Done;
            Wait(ref wait);
        }
    }

    /// <summary>See <see cref="SliceHeap.TryWrite{TState}"/>.</summary>
    public bool TryWrite<TState>(SafePtr slice, TState state, SliceWriter<TState> writer)
        where TState : allows ref struct
    {
        if (!TryEnterWriter(slice, out SlicePlace place, out ulong before)) return false;
        try
        {
            writer(place.Bytes(place.Length), state);
        }
        finally
        {
            // The slice is not released before its writer has left, so its block is mapped.
            ulong word = SliceHeader.LeaveWriter(ref place.Header, before);
            Left(place, word);
        }
        return true;
    }

    /// <summary>See <see cref="SliceHeap.OpenRead"/>.</summary>
    public SliceScope OpenRead(SafePtr slice)
    {
        ShortWait wait = default;
        while (true)
        {
            Outcome outcome = AttemptEnterReader(slice, out SlicePlace place);
            if (outcome == Outcome.Done) return new SliceScope(place);
            if (outcome == Outcome.Gone) return default;
            Wait(ref wait);
        }
    }

    /// <summary>See <see cref="SliceHeap.TryDelete"/>.</summary>
    public bool TryDelete(SafePtr slice)
    {
        SlicePlace place;
        bool isFree;
        using (CriticalSection.Enter())
        {
            if (!TryFind(slice, out place)) return false;
            ulong word;
            do
            {
                word = place.Word;
                bool isOther = !SliceHeader.IsTenant(word, slice.Version);
                bool isGone = SliceHeader.IsDeleted(word);
                if (isOther || isGone) return false;
                ProtocolSteps.Reach(ProtocolStep.SliceHeaderRead);
            }
            while (!SliceHeader.TryDelete(ref place.Header, word));
            isFree = !SliceHeader.IsOccupied(word);
        }
        ProtocolSteps.Reach(ProtocolStep.SliceDeleted);
        // Whoever was inside at the moment of the swap has to leave yet, and releases it then.
        if (isFree) SlicePlaces.Release(place);
        return true;
    }

    /// <summary>Deletes the slices of a block, after the heap was marked as disposed.</summary>
    public static void DeleteAll(SliceBlock block)
    {
        using CriticalSection section = CriticalSection.Enter();
        // A block that is shown now is retired later, if at all, so the section keeps it mapped. One that is not has no slices any more.
        if (SliceBlockTable.Find(block.Number) != block) return;
        int cut = block.Stripe?.CutOf(block) ?? 1;
        for (int index = 0; index < cut; index++) DeleteAny(new SlicePlace(block, index));
    }

    private static void DeleteAny(SlicePlace place)
    {
        ulong word;
        do
        {
            word = place.Word;
            if (SliceHeader.IsDeleted(word)) return;
        }
        while (!SliceHeader.TryDelete(ref place.Header, word));
        if (!SliceHeader.IsOccupied(word)) SlicePlaces.Release(place);
    }

    /// <summary>Lets others have a slice.</summary>
    /// <returns>The pointer to it.</returns>
    /// <exception cref="InvalidOperationException">The slice was published or given back before.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed. The slice is given back.</exception>
    public static SafePtr Publish(SlicePlace place, uint version)
    {
        SliceHeap owner = place.Block.Heap;
        // A slice that is not published keeps its block mapped, whatever becomes of the heap.
        // Full fence: the content comes before; the pointer leaves the library, and the heap's mark is read, after.
        if (Interlocked.CompareExchange(ref place.Header, SliceHeader.Published(version), SliceHeader.Private(version)) != SliceHeader.Private(version))
            throw new InvalidOperationException("The slice was published or given back before, through a copy of this structure.");
        SafePtr pointer = new(version, place.Block.Number, place.Index);
        ProtocolSteps.Reach(ProtocolStep.SlicePublished);
        // Partner: Dispose, which sets the mark and then looks at the headers. One of the two deletes the slice.
        if (owner.IsDisposed)
        {
            owner.TryDelete(pointer);
            throw new ObjectDisposedException(owner.Name);
        }
        return pointer;
    }

    /// <summary>Takes a reader out of a slice that it is inside.</summary>
    public static void LeaveReader(SlicePlace place)
    {
        // The slice is not released before its reader has left, so its block is mapped.
        ulong word = SliceHeader.LeaveReader(ref place.Header);
        Left(place, word);
    }

    // The last one out releases: exactly one interlocked operation leaves the word deleted with nobody inside.
    private static void Left(SlicePlace place, ulong word)
    {
        ProtocolSteps.Reach(ProtocolStep.SliceLeft);
        if (SliceHeader.IsDeleted(word) && !SliceHeader.IsOccupied(word)) SlicePlaces.Release(place);
    }

    // Outside of the section, in which it would hold up others, while the slice belongs to somebody who stays.
    private static void Wait(ref ShortWait wait)
    {
        ProtocolSteps.Reach(ProtocolStep.Waiting);
        wait.Once();
    }

    private Outcome AttemptRead<TState, TResult>(SafePtr slice, TState state, SliceReader<TState, TResult> reader, out TResult? result)
        where TState : allows ref struct
    {
        result = default;
        using CriticalSection section = CriticalSection.Enter();
        if (!TryFind(slice, out SlicePlace place)) return Outcome.Gone;
        // The section keeps the block mapped, whatever becomes of the slice.
        ulong before = place.Word;
        if (!SliceHeader.IsAlive(before, slice.Version)) return Outcome.Gone;
        if (SliceHeader.HasWriter(before)) return Outcome.Busy;
        ProtocolSteps.Reach(ProtocolStep.SliceHeaderRead);
        uint length = place.Length;
        // Released meanwhile: the field links to the next free slice.
        if (length > place.Block.Capacity) return Outcome.Busy;
        try
        {
            result = reader(place.Bytes(length), state);
        }
        catch when (!IsUnchanged(place, before))
        {
            // What it threw may come from bytes that nobody wrote together.
            return Outcome.Busy;
        }
        ProtocolSteps.Reach(ProtocolStep.SliceBytesRead);
        return IsUnchanged(place, before) ? Outcome.Done : Outcome.Busy;
    }

    private static bool IsUnchanged(SlicePlace place, ulong before)
    {
        Volatile.ReadBarrier();
        return SliceHeader.IsUnchanged(before, place.Word);
    }

    private bool TryEnterWriter(SafePtr slice, out SlicePlace place, out ulong before)
    {
        ShortWait wait = default;
        while (true)
        {
            Outcome outcome = AttemptEnterWriter(slice, out place, out before);
            if (outcome != Outcome.Busy) return outcome == Outcome.Done;
            Wait(ref wait);
        }
    }

    private Outcome AttemptEnterWriter(SafePtr slice, out SlicePlace place, out ulong before)
    {
        before = 0;
        using CriticalSection section = CriticalSection.Enter();
        if (!TryFind(slice, out place)) return Outcome.Gone;
        while (true)
        {
            ulong word = place.Word;
            if (!SliceHeader.IsAlive(word, slice.Version)) return Outcome.Gone;
            if (SliceHeader.IsOccupied(word)) return Outcome.Busy;
            ProtocolSteps.Reach(ProtocolStep.SliceHeaderRead);
            // Announced and validated at once: nobody was inside, and the slice is the pointer's.
            if (!SliceHeader.TryEnterWriter(ref place.Header, word)) continue;
            before = word;
            return Outcome.Done;
        }
    }

    private Outcome AttemptEnterReader(SafePtr slice, out SlicePlace place)
    {
        using CriticalSection section = CriticalSection.Enter();
        if (!TryFind(slice, out place)) return Outcome.Gone;
        while (true)
        {
            ulong word = place.Word;
            if (!SliceHeader.IsAlive(word, slice.Version)) return Outcome.Gone;
            if (SliceHeader.HasWriter(word) || SliceHeader.ReadersOf(word) == SliceHeader.MaxReaders) return Outcome.Busy;
            ProtocolSteps.Reach(ProtocolStep.SliceHeaderRead);
            if (SliceHeader.TryEnterReader(ref place.Header, word)) return Outcome.Done;
        }
    }

    /// <summary>Finds the place that a pointer names, whoever has it now.</summary>
    /// <safety>The caller is inside the critical section in which it uses the place.</safety>
    private bool TryFind(SafePtr slice, out SlicePlace place)
    {
        int index = slice.Index;
        // Version 0 is in the headers of slices that were never used, and only in pointers that were made up.
        if (slice.Version != 0 && SliceBlockTable.Find(slice.Block) is { } block && block.Heap == heap && index < block.Count)
        {
            place = new SlicePlace(block, index);
            return true;
        }
        place = default;
        return false;
    }
}
