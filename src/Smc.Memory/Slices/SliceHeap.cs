using Smc.Memory.Diagnostics;
using Smc.Memory.Slices;

namespace Smc.Memory;

/// <summary>
/// Memory outside the managed heap in pieces of any size, for values that many threads read, write in place and delete: <em>slices</em>. A slice is named by
/// a <see cref="SafePtr"/>, which may outlive it: calls with a pointer to a deleted slice answer <see langword="false"/>.
/// </summary>
/// <remarks>
/// <para>The calls are those of SOMAR, implemented by Nova (thesis of 2022, chapter 2, figure of the API): <see cref="Allocate(ReadOnlySpan{byte})"/>,
/// <see cref="TryRead{TState, TResult}"/>, <see cref="TryWrite{TState}"/>, <see cref="TryDelete"/>, and <see cref="Reserve"/> for slices that are not
/// published yet. Where Nova announces a thread in a table of hazards and validates the pointer afterwards, one compare-and-swap in the slice's header does
/// both here (docs/decisions/0018-slices.md). So a thread that stalls in a slice keeps that slice, and nothing else; nothing grows with the number of
/// threads. A deleted slice is used again as soon as its last user leaves it, without waiting for readers.</para>
/// <para>Thread safety: all members may be called from any thread at any time, <see cref="Dispose"/> included. Calls on different slices do not wait for each other,
/// except for a few instructions in which a free slice is taken or given back.</para>
/// <para>Locks, in the order in which they are taken: the lock of the heap's blocks; then the latch of a stripe, or the lock of the table of blocks, or that of the
/// budget. No code of the user runs under any of them.</para>
/// </remarks>
public sealed class SliceHeap : IDisposable
{
    private readonly SliceHeapOptions _options;
    private readonly SliceBlocks _blocks;
    private readonly SliceAccess _access;
    private int _disposed;

    /// <summary>Makes an empty heap. It maps nothing until the first slice.</summary>
    /// <param name="manager">Owner of the memory; <see cref="MemoryManager.Default"/> if null.</param>
    /// <param name="options">The defaults if null.</param>
    /// <exception cref="ObjectDisposedException">The manager was disposed.</exception>
    /// <remarks>A heap lives until it or its manager is disposed, whether anybody still refers to it or not: pointers do not keep it alive, but they
    /// may be all that is left of it.</remarks>
    public SliceHeap(MemoryManager? manager = null, SliceHeapOptions? options = null)
    {
        Manager = manager ?? MemoryManager.Default;
        _options = options ?? new SliceHeapOptions();
        ArgumentNullException.ThrowIfNull(_options.Name, nameof(options));
        if (_options.Limit is < 0) throw new ArgumentOutOfRangeException(nameof(options), _options.Limit, "Limit is a number of bytes, or null for none.");
        Garbage = new SliceGarbage(_options.Collection?.Indexes, Manager.Reclaimer);
        _blocks = new SliceBlocks(this, Garbage, _options);
        Places = new SlicePlaces(_blocks, _options.Stripes);
        _access = new SliceAccess(this);
        if (_options.Collection is null) Manager.Add(this);
    }

    /// <summary>The name in messages and metrics.</summary>
    public string Name => _options.Name;

    /// <summary>The manager that the memory belongs to.</summary>
    public MemoryManager Manager { get; }

    /// <summary>True from the beginning of <see cref="Dispose"/> on.</summary>
    public bool IsDisposed => Volatile.Read(ref _disposed) != 0;

    /// <summary>Slices in use: published, reserved, or deleted with somebody still inside. Exact when nobody is at work; takes time by the number of blocks.</summary>
    public long Count => _blocks.Unreleased;

    /// <summary>Slices that are not used again because their versions are used up, since the heap was made: one for each 16 million deletions in one place.</summary>
    public long ExhaustedSlices => Places.UsedUp;

    /// <summary>
    /// Bytes of blocks that left the heap and wait for readers, and of chunks of an ordered map that were replaced. Deleted slices wait for nobody.
    /// </summary>
    public long GarbageBytes => _blocks.LeavingBytes + Garbage.RetiredBytes;

    /// <summary>Bytes by what they are used for. Exact when nobody is at work; takes time by the number of blocks.</summary>
    public MemoryUsage Usage => _blocks.Usage;

    /// <summary>The blocks at this moment, for invariants and tests.</summary>
    internal SliceBlock[] Blocks => _blocks.All;

    /// <summary>Disposed before the heap when its manager is: the structure that the heap belongs to.</summary>
    internal IDisposable? Owner { get; init; }

    /// <summary>Bytes mapped now, those of blocks that left and wait for readers among them.</summary>
    internal long MappedBytes => _blocks.MappedBytes;

    /// <summary>Takes places for slices and gives them back.</summary>
    internal SlicePlaces Places { get; }

    /// <summary>What waits for readers.</summary>
    internal SliceGarbage Garbage { get; }

    /// <summary>Allocates a slice with a content and publishes it.</summary>
    /// <returns>The pointer to it.</returns>
    /// <inheritdoc cref="Reserve" path="/exception|/remarks"/>
    public SafePtr Allocate(ReadOnlySpan<byte> content)
    {
        using PrivateSlice slice = Reserve(content.Length);
        content.CopyTo(slice.Bytes);
        return slice.Publish();
    }

    /// <summary>Allocates a slice, lets a function fill it, and publishes it.</summary>
    /// <param name="length">Bytes of the slice.</param>
    /// <param name="state">What the function gets.</param>
    /// <param name="fill">Runs once. If it throws, the slice is given back.</param>
    /// <returns>The pointer to it.</returns>
    /// <inheritdoc cref="Reserve" path="/exception|/remarks"/>
    public SafePtr Allocate<TState>(int length, TState state, SliceWriter<TState> fill)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(fill);
        using PrivateSlice slice = Reserve(length);
        fill(slice.Bytes, state);
        return slice.Publish();
    }

    /// <summary>Takes memory for a slice that nobody else knows yet: the private forms of the thesis's chapter 2 (privatization).</summary>
    /// <param name="length">Bytes of the slice.</param>
    /// <returns>The slice, to be published or disposed.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative.</exception>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing is changed.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    /// <remarks>
    /// Constant time, unless a block is mapped. Takes 12 bytes beside the content and rounds up: to 16 bytes up to 2 KiB, by at most an eighth up
    /// to 1 MiB; larger slices have mappings of their own. The length of a slice never changes.
    /// </remarks>
    public PrivateSlice Reserve(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        SlicePlace place = Take(length, out uint version);
        return new PrivateSlice(place, version, length);
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
        return _access.TryRead(slice, state, reader, out result);
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
        return _access.TryWrite(slice, state, writer);
    }

    /// <summary>Enters a slice as a reader that others have to wait for: the bytes stay as they are until the scope is disposed.</summary>
    /// <param name="slice">The pointer.</param>
    /// <returns>The scope; not open if the slice is deleted, or the pointer is null or of another heap.</returns>
    /// <remarks>Two interlocked operations. Waits while a writer is inside, or 255 readers are.</remarks>
    public SliceScope OpenRead(SafePtr slice) => _access.OpenRead(slice);

    /// <summary>Deletes a slice. Of several callers, one wins. Its memory is used again when the last thread that is inside has left.</summary>
    /// <param name="slice">The pointer.</param>
    /// <returns>True if this call deleted the slice; false if it was deleted before, or the pointer is null or of another heap.</returns>
    /// <remarks>Constant time; one interlocked operation; waits for nobody. From here on every other call with the pointer answers false.</remarks>
    public bool TryDelete(SafePtr slice) => _access.TryDelete(slice);

    /// <summary>Gives blocks without slices back, two epochs later. Others keep one small block of a size for the next slices.</summary>
    public void TrimExcess()
    {
        if (_blocks.RetireEmpty() > 0) Manager.Reclaimer.AdvanceTwice();
    }

    /// <summary>
    /// Ends the heap: its slices are deleted from here on, and <see cref="Reserve"/> throws. Waits for nobody: a block goes back when the last thread that is inside
    /// one of its slices has left and the readers that were at it are through.
    /// </summary>
    /// <remarks>Time by the number of slices. Slices that were reserved and not yet published keep their block until their owner gives them up.</remarks>
    public void Dispose()
    {
        // Full fence between the mark and the look at the headers; partner: Publish.
        if (Interlocked.Exchange(ref _disposed, 1) != 0) return;
        ProtocolSteps.Reach(ProtocolStep.DisposeMarked);
        // Under the lock no block is added after the mark, so these are all.
        foreach (SliceBlock block in Blocks) SliceAccess.DeleteAll(block);
        _blocks.RetireEmpty();
        if (_blocks.AreGone) Manager.Remove(this);
        else Manager.Reclaimer.AdvanceTwice();
    }

    /// <summary>Takes a slice that is never published: the memory of structures of this library that know by themselves who reads it.</summary>
    /// <inheritdoc cref="Reserve" path="/param|/exception"/>
    internal SlicePlace ReservePlace(int length) => Take(length, out _);

    /// <summary>From here on the manager counts the heap by itself: the collection that it was part of is gone, or has dropped it.</summary>
    internal void LeaveCollection() => Manager.Adopt(this);

    private SlicePlace Take(int length, out uint version)
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        try
        {
            return Places.Take(length, out version);
        }
        catch (OffHeapMemoryException) when (GarbageBytes > 0)
        {
            // Blocks that wait may need no more than that somebody moves the epoch on.
            Manager.Reclaimer.AdvanceTwice();
        }
        return Places.Take(length, out version);
    }
}
