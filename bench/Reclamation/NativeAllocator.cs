using System.Runtime.InteropServices;
using Smc.Memory;
using Smc.Memory.Epochs;
using Smc.Memory.Reclamation;

namespace Reclamation;

/// <summary>Objects are of <see cref="NativeMemory"/>, behind the same policies: a bag for each of a few threads.</summary>
internal sealed unsafe class NativeAllocator : IAllocator
{
    private readonly Reclaimer _reclaimer;
    private readonly int _bytes;
    private readonly Bag[] _bags = [.. Enumerable.Range(0, 16).Select(static _ => new Bag())];

    public NativeAllocator(MemoryManager manager, int bytes) => (_reclaimer, _bytes) = (manager.Reclaimer, bytes);

    public long LimboBytes => _bags.Sum(static bag => (long)bag.Count) * _bytes;

    public long ObjectBytes => _bytes;

    public ulong Allocate(long key)
    {
        long* made = (long*)NativeMemory.Alloc((nuint)_bytes);
        *made = key;
        return (ulong)made;
    }

    public bool Holds(ulong found, long key) => *(long*)found == key;

    public void Abandon(ulong made) => NativeMemory.Free((void*)made);

    public void Retire(ulong removed)
    {
        Interlocked.MemoryBarrier();
        long stamp = GlobalEpoch.Now;
        Bag bag = _bags[ThreadSlots.Current->Index & (_bags.Length - 1)];
        if (bag.Add(removed, stamp)) _reclaimer.Retire(new RetiredBag(bag), stamp);
        _reclaimer.AddGarbage(_bytes);
    }

    // What waits is freed with the manager's other garbage.
    public void Dispose() => _reclaimer.AdvanceTwice();

    /// <summary>As the stripes of a string heap.</summary>
    private sealed class Bag
    {
        private readonly Queue<(ulong Address, long Stamp)> _items = new();
        private readonly Lock _lock = new();

        public int Count
        {
            get
            {
                lock (_lock) return _items.Count;
            }
        }

        public bool Add(ulong address, long stamp)
        {
            lock (_lock)
            {
                _items.Enqueue((address, stamp));
                return _items.Count == 1;
            }
        }

        public bool TryTake(out ulong address, out long oldest)
        {
            lock (_lock)
            {
                (address, oldest) = (0, -1);
                if (!_items.TryPeek(out (ulong Address, long Stamp) first)) return false;
                oldest = first.Stamp;
                if (!Epoch.HasPassed(first.Stamp)) return false;
                address = _items.Dequeue().Address;
                return true;
            }
        }

        public long OldestDue
        {
            get
            {
                lock (_lock) return _items.TryPeek(out (ulong Address, long Stamp) first) && Epoch.HasPassed(first.Stamp) ? first.Stamp : -1;
            }
        }
    }

    private sealed class RetiredBag(Bag bag) : RetiredParts
    {
        public override bool ReleaseSome(ref int pieces)
        {
            for (; pieces > 0; pieces--)
            {
                if (!bag.TryTake(out ulong address, out long oldest))
                {
                    Stamp = oldest;
                    return oldest < 0;
                }
                NativeMemory.Free((void*)address);
            }
            if (bag.OldestDue is >= 0 and long left) Stamp = left;
            return false;
        }
    }
}
