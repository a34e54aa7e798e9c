using Smc.Memory.Diagnostics;
using Smc.Memory.Epochs;
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
public sealed partial class SliceHeap : IDisposable
{
    private readonly SliceHeapOptions _options;
    private readonly SliceStripe[] _stripes;
    private readonly SliceBlocks _blocks;
    private long _retiredBytes;
    private long _usedUp;
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
        _blocks = new SliceBlocks(this, _options);
        _stripes = new SliceStripe[(int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)_options.Stripes)];
        for (int i = 0; i < _stripes.Length; i++) _stripes[i] = new SliceStripe();
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
    public long ExhaustedSlices => Volatile.Read(ref _usedUp);

    /// <summary>
    /// Bytes of blocks that left the heap and wait for readers, and of chunks of an ordered map that were replaced. Deleted slices wait for nobody.
    /// </summary>
    public long GarbageBytes => _blocks.LeavingBytes + Volatile.Read(ref _retiredBytes);

    /// <summary>Bytes by what they are used for. Exact when nobody is at work; takes time by the number of blocks.</summary>
    public MemoryUsage Usage => _blocks.Usage;

    /// <summary>The blocks at this moment, for invariants and tests.</summary>
    internal SliceBlock[] Blocks => _blocks.All;

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
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        SlicePlace place = Take(length, out uint version);
        place.Length = (uint)length;
        return new PrivateSlice(place, version, length);
    }

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
        foreach (SliceBlock block in Blocks) DeleteAll(block);
        _blocks.RetireEmpty();
        if (_blocks.AreGone) Manager.Remove(this);
        else Manager.Reclaimer.AdvanceTwice();
    }

    internal static SafePtr Publish(SlicePlace place, uint version)
    {
        SliceHeap heap = place.Block.Heap;
        // A slice that is not published keeps its block mapped, whatever becomes of the heap.
        // Full fence: the content comes before; the pointer leaves the library, and the heap's mark is read, after.
        if (Interlocked.CompareExchange(ref place.Header, SliceHeader.Published(version), SliceHeader.Private(version)) != SliceHeader.Private(version))
            throw new InvalidOperationException("The slice was published or given back before, through a copy of this structure.");
        SafePtr pointer = new(version, place.Block.Number, place.Index);
        ProtocolSteps.Reach(ProtocolStep.SlicePublished);
        // Partner: Dispose, which sets the mark and then looks at the headers. One of the two deletes the slice.
        if (heap.IsDisposed)
        {
            heap.TryDelete(pointer);
            throw new ObjectDisposedException(heap.Name);
        }
        return pointer;
    }

    internal static void Abandon(SlicePlace place, uint version)
    {
        if (Interlocked.CompareExchange(ref place.Header, SliceHeader.Free(version), SliceHeader.Private(version)) == SliceHeader.Private(version))
            Release(place);
    }

    // Nobody is inside and nobody can get in; the one caller owns the slice.
    private static void Release(SlicePlace place)
    {
        SliceBlock block = place.Block;
        // The slice is unreleased, so its block is mapped until it is returned below.
        uint version = SliceHeader.VersionOf(place.Word);
        bool isUsedUp = version >= block.LastVersion;
        if (isUsedUp) Interlocked.Increment(ref block.Heap._usedUp);
        else Volatile.Write(ref place.Header, SliceHeader.Free(version + 1));
        ProtocolSteps.Reach(ProtocolStep.SliceReleased);
        bool leaves = block.Stripe?.Return(place, isUsedUp) ?? true;
        if (leaves) block.Heap._blocks.Retire(block);
    }

    private void DeleteAll(SliceBlock block)
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
        if (!SliceHeader.IsOccupied(word)) Release(place);
    }

    private SlicePlace Take(int length, out uint version)
    {
        try
        {
            return TakeOrMap(length, out version);
        }
        catch (OffHeapMemoryException) when (GarbageBytes > 0)
        {
            // Blocks that wait may need no more than that somebody moves the epoch on.
            Manager.Reclaimer.AdvanceTwice();
        }
        return TakeOrMap(length, out version);
    }

    private SlicePlace TakeOrMap(int length, out uint version)
    {
        if (SliceSize.IsLarge(length)) return _blocks.AddLarge(length, out version);
        int sizeClass = SliceSize.ClassOf(length);
        SliceStripe own = Stripe();
        SlicePlace place;
        while (!own.TryTake(sizeClass, out place, out version))
        {
            if (TryTakeFromOthers(sizeClass, out place, out version)) break;
            _blocks.Add(own, sizeClass);
        }
        return place;
    }

    private bool TryTakeFromOthers(int sizeClass, out SlicePlace place, out uint version)
    {
        foreach (SliceStripe stripe in _stripes)
        {
            if (stripe.TryTake(sizeClass, out place, out version)) return true;
        }
        place = default;
        version = 0;
        return false;
    }

    private unsafe SliceStripe Stripe()
    {
        // SAFETY: the slot of the calling thread; never freed.
        return _stripes[ThreadSlots.Current->Index & (_stripes.Length - 1)];
    }
}
