using System.Runtime.CompilerServices;

namespace Smc.Memory.Slices;

/// <summary>
/// The blocks of all heaps of the process, by number. One table for all of them, so that a pointer of one heap never means a slice of another. A number
/// that comes back keeps the highest version that it ever had, and the next block begins above it: pointers to the old block stay dead.
/// </summary>
internal static class SliceBlockTable
{
    private const int FirstLength = 64;

    private static readonly Lock s_lock = new();
    private static readonly Stack<int> s_free = new();
    private static SliceBlock?[] s_blocks = new SliceBlock?[FirstLength];
    private static uint[] s_nextVersions = new uint[FirstLength];
    private static int s_used;

    /// <summary>The block with a number, or null.</summary>
    /// <safety>The caller is inside a critical section, in which the block stays mapped.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static SliceBlock? Find(int number)
    {
        SliceBlock?[] blocks = Volatile.Read(ref s_blocks);
        SliceBlock? block = (uint)number < (uint)blocks.Length ? Volatile.Read(ref blocks[number]) : null;
        return block ?? FindAgain(number);
    }

    /// <summary>Gives out a number.</summary>
    /// <param name="firstVersion">The lowest version that no slice with this number had.</param>
    /// <exception cref="OffHeapMemoryException">All numbers are in use.</exception>
    public static int Take(out uint firstVersion)
    {
        lock (s_lock)
        {
            if (!s_free.TryPop(out int number))
            {
                if (s_used == SafePtr.MaxBlocks)
                    throw new OffHeapMemoryException($"The heaps of slices of this process have {SafePtr.MaxBlocks:N0} blocks, which is as many as pointers can name.");
                if (s_used == s_blocks.Length) Grow();
                number = s_used++;
                s_nextVersions[number] = 1;
            }
            firstVersion = s_nextVersions[number];
            return number;
        }
    }

    /// <summary>Shows a block to everybody.</summary>
    public static void Show(SliceBlock block)
    {
        lock (s_lock) Volatile.Write(ref s_blocks[block.Number], block);
    }

    /// <summary>Hides a block from readers that come later.</summary>
    public static void Hide(SliceBlock block)
    {
        lock (s_lock) Volatile.Write(ref s_blocks[block.Number], null);
    }

    /// <summary>Takes a number back. If its versions are used up, it is not given out again.</summary>
    public static void Return(int number, uint nextVersion)
    {
        lock (s_lock)
        {
            s_nextVersions[number] = nextVersion;
            if (nextVersion <= SafePtr.MaxVersion) s_free.Push(number);
        }
    }

    // A thread that got the pointer through a plain load of user code may, on processors with weak order, still see an older table. The fence ends that.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static SliceBlock? FindAgain(int number)
    {
        Interlocked.MemoryBarrier();
        SliceBlock?[] blocks = Volatile.Read(ref s_blocks);
        return (uint)number < (uint)blocks.Length ? Volatile.Read(ref blocks[number]) : null;
    }

    // Under the lock. A reader in the old array sees it as it is now, which was true within its critical section.
    private static void Grow()
    {
        int length = Math.Min(s_blocks.Length * 2, SafePtr.MaxBlocks);
        Array.Resize(ref s_nextVersions, length);
        SliceBlock?[] grown = new SliceBlock?[length];
        s_blocks.CopyTo(grown, 0);
        Volatile.Write(ref s_blocks, grown);
    }
}
