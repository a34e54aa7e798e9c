using Smc.Memory.Allocation;

namespace Smc.Memory.Slices;

/// <summary>
/// One of several independent parts of a heap: blocks and their free slices, under one latch that is held for a few instructions.
/// A block stays with its stripe, whichever thread frees its slices.
/// </summary>
internal sealed class SliceStripe
{
    // For every class the first of the blocks that have room.
    private readonly SliceBlock?[] _withRoom = new SliceBlock?[SliceSize.Classes];
    private readonly int[] _blocks = new int[SliceSize.Classes];
    private Latch _latch;

    /// <summary>Takes a slice of the class, private to the caller.</summary>
    /// <returns>False if no block of the stripe has room.</returns>
    public bool TryTake(int sizeClass, out SlicePlace place, out uint version)
    {
        _latch.Enter();
        SliceBlock? block = _withRoom[sizeClass];
        if (block is null)
        {
            _latch.Exit();
            place = default;
            version = 0;
            return false;
        }
        place = new SlicePlace(block, block.Take(out version));
        if (!block.HasRoom) Unlist(block);
        _latch.Exit();
        return true;
    }

    /// <summary>Adds a block that nobody has used.</summary>
    public void Add(SliceBlock block)
    {
        _latch.Enter();
        _blocks[block.SizeClass]++;
        List(block);
        _latch.Exit();
    }

    /// <summary>Takes a slice back that nobody is inside any more.</summary>
    /// <param name="place">The slice, of a block of this stripe.</param>
    /// <param name="isUsedUp">True if it had its last version.</param>
    /// <returns>True if that was the last slice of its block, and the block leaves: the caller retires it.</returns>
    public bool Return(SlicePlace place, bool isUsedUp)
    {
        SliceBlock block = place.Block;
        _latch.Enter();
        block.Return(place.Index, isUsedUp);
        if (!block.IsListed && block.HasRoom) List(block);
        // The heap's mark is set before it takes the latch to look for empty blocks: one of the two sees this one.
        bool leaves = block.Unreleased == 0 && (block.Heap.IsDisposed || !IsKept(block));
        if (leaves) Remove(block);
        _latch.Exit();
        return leaves;
    }

    /// <summary>Lets a block leave if it has no slices.</summary>
    /// <returns>True if it leaves now: the caller retires it.</returns>
    public bool TryRemoveEmpty(SliceBlock block)
    {
        _latch.Enter();
        bool leaves = !block.IsLeaving && block.Unreleased == 0;
        if (leaves) Remove(block);
        _latch.Exit();
        return leaves;
    }

    /// <summary>Slices of a block that were ever used. Those that come later belong to callers that will see what the caller did before.</summary>
    public int CutOf(SliceBlock block)
    {
        _latch.Enter();
        int cut = block.Cut;
        _latch.Exit();
        return cut;
    }

    // A program that allocates and deletes one slice after the other does not map and unmap a block each time.
    private bool IsKept(SliceBlock block) =>
        block.HasRoom && _blocks[block.SizeClass] == 1 && block.Bytes <= Platform.VirtualMemory.Granularity;

    private void Remove(SliceBlock block)
    {
        block.IsLeaving = true;
        _blocks[block.SizeClass]--;
        if (block.IsListed) Unlist(block);
    }

    private void List(SliceBlock block)
    {
        SliceBlock? first = _withRoom[block.SizeClass];
        block.Next = first;
        if (first is not null) first.Previous = block;
        _withRoom[block.SizeClass] = block;
        block.IsListed = true;
    }

    private void Unlist(SliceBlock block)
    {
        if (block.Previous is { } previous) previous.Next = block.Next;
        else _withRoom[block.SizeClass] = block.Next;
        if (block.Next is { } next) next.Previous = block.Previous;
        block.Next = block.Previous = null;
        block.IsListed = false;
    }
}
