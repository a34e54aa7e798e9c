using Smc.Memory.Diagnostics;
using Smc.Memory.Slices;

namespace Smc.Memory;

/// <content>Reading, writing and deleting slices through their pointers.</content>
public sealed partial class SliceHeap
{
    private enum Outcome
    {
        Done,

        /// <summary>The pointer's slice is deleted.</summary>
        Gone,

        /// <summary>Somebody else is inside, or was while the caller looked.</summary>
        Busy,
    }

    /// <summary>
    /// Computes something from a slice without announcing itself: reads the header, runs the function on the bytes, and accepts its result if the header is as it was.
    /// Otherwise the function runs again. (Nova, section 3.2, algorithm 3.1: <c>read</c>; section 3.4 for the load fence.)
    /// </summary>
    /// <param name="slice">The pointer.</param>
    /// <param name="state">What the function gets. May be a span to copy to.</param>
    /// <param name="reader">The function. It may run several times, and on bytes that change; see <see cref="SliceReader{TState, TResult}"/>.</param>
    /// <param name="result">What the function returned.</param>
    /// <returns>False if the slice is deleted, or the pointer is null or of another heap.</returns>
    /// <remarks>
    /// Stores nothing in shared memory. Waits while a writer is inside. An exception of the function is thrown only if it saw the bytes at rest. The function runs inside
    /// a <see cref="CriticalSection"/>: whoever reads for long uses <see cref="OpenRead"/>. Within a function that writes the same slice it waits for ever.
    /// </remarks>
    /// <exception cref="ArgumentNullException"><paramref name="reader"/> is null.</exception>
    public bool TryRead<TState, TResult>(SafePtr slice, TState state, SliceReader<TState, TResult> reader, out TResult? result)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(reader);
        SpinWait wait = default;
        while (true)
        {
            Outcome outcome = AttemptRead(slice, state, reader, out result);
            if (outcome != Outcome.Busy) return outcome == Outcome.Done;
            Wait(ref wait);
        }
    }

    /// <summary>Copies a slice, or as much of it as the destination takes.</summary>
    /// <param name="slice">The pointer.</param>
    /// <param name="destination">What is copied to. Its content is undefined if the slice is deleted.</param>
    /// <param name="length">Bytes of the slice, which may be more than were copied.</param>
    /// <returns>False if the slice is deleted, or the pointer is null or of another heap.</returns>
    /// <remarks>The copy is whole: what one write left. See <see cref="TryRead{TState, TResult}"/> for what this costs.</remarks>
    public bool TryCopyTo(SafePtr slice, Span<byte> destination, out int length) => TryRead(slice, destination, static (bytes, target) =>
    {
        bytes[..Math.Min(bytes.Length, target.Length)].CopyTo(target);
        return bytes.Length;
    }, out length);

    /// <summary>
    /// Changes a slice in place, alone: waits until nobody is inside, and runs the function exactly once. (Nova, section 3.2, algorithm 3.1: <c>write</c> announces, then
    /// validates; here one compare-and-swap does both, and it keeps other writers out, too.)
    /// </summary>
    /// <param name="slice">The pointer.</param>
    /// <param name="state">What the function gets.</param>
    /// <param name="writer">The function. If it throws, what it wrote until then stays, and the exception goes to the caller.</param>
    /// <returns>False if the slice is deleted, or the pointer is null or of another heap. The function did not run then.</returns>
    /// <remarks>
    /// Two interlocked operations. The function runs in no critical section of this library, however long it takes. If the slice is deleted meanwhile, it is
    /// released when the function ends. A function that reads or writes its own slice through the heap, and one that is called inside a
    /// <see cref="SliceScope"/> of the slice, waits for ever; deleting it is allowed. Writers wait for open scopes, without an order.
    /// </remarks>
    /// <exception cref="ArgumentNullException"><paramref name="writer"/> is null.</exception>
    public bool TryWrite<TState>(SafePtr slice, TState state, SliceWriter<TState> writer)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(writer);
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

    /// <summary>Enters a slice as a reader that others have to wait for: the bytes stay as they are until the scope is disposed.</summary>
    /// <param name="slice">The pointer.</param>
    /// <returns>The scope; not open if the slice is deleted, or the pointer is null or of another heap.</returns>
    /// <remarks>Two interlocked operations. Waits while a writer is inside, or 255 readers are.</remarks>
    public SliceScope OpenRead(SafePtr slice)
    {
        SpinWait wait = default;
        while (true)
        {
            Outcome outcome = AttemptEnterReader(slice, out SlicePlace place);
            if (outcome == Outcome.Done) return new SliceScope(place);
            if (outcome == Outcome.Gone) return default;
            Wait(ref wait);
        }
    }

    /// <summary>Deletes a slice. Of several callers, one wins. Its memory is used again when the last thread that is inside has left.</summary>
    /// <param name="slice">The pointer.</param>
    /// <returns>True if this call deleted the slice; false if it was deleted before, or the pointer is null or of another heap.</returns>
    /// <remarks>Constant time; one interlocked operation; waits for nobody. From here on every other call with the pointer answers false.</remarks>
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
        if (isFree) Release(place);
        return true;
    }

    /// <summary>Takes a reader out of a slice that it is inside.</summary>
    internal static void LeaveReader(SlicePlace place)
    {
        // The slice is not released before its reader has left, so its block is mapped.
        ulong word = SliceHeader.LeaveReader(ref place.Header);
        Left(place, word);
    }

    // The last one out releases: exactly one interlocked operation leaves the word deleted with nobody inside.
    private static void Left(SlicePlace place, ulong word)
    {
        ProtocolSteps.Reach(ProtocolStep.SliceLeft);
        if (SliceHeader.IsDeleted(word) && !SliceHeader.IsOccupied(word)) Release(place);
    }

    // Outside of the section, in which it would hold up others, while the slice belongs to somebody who stays.
    private static void Wait(ref SpinWait wait)
    {
        ProtocolSteps.Reach(ProtocolStep.Waiting);
        wait.SpinOnce();
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
        SpinWait wait = default;
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
        if (slice.Version != 0 && SliceBlockTable.Find(slice.Block) is { } block && block.Heap == this && index < block.Count)
        {
            place = new SlicePlace(block, index);
            return true;
        }
        place = default;
        return false;
    }
}
