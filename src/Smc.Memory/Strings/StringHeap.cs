using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Epochs;
using Smc.Memory.Platform;
using Smc.Memory.Strings;

namespace Smc.Memory;

/// <summary>
/// The strings of one collection that are too long for their row. Chunks are immutable: an update stores a new one, swaps the row's word
/// and retires the old one, which is freed when no reader can have it any more.
/// </summary>
public sealed class StringHeap
{
    private const int StackBytes = 768;
    private const int MaxStripes = 8;
    private const long FirstSegment = VirtualMemory.Granularity;
    private const long LargestSegment = 2 * VirtualMemory.HugePageSize;

    private readonly MemoryBudget _budget;
    private readonly Lock _segmentLock = new();
    private readonly List<(ulong Address, long Bytes)> _segments = [];
    private readonly Dictionary<ulong, long> _large = [];
    private readonly StringStripe[] _stripes;
    private long _mapped;
    private long _nextSegment = FirstSegment;
    private bool _released;

    internal StringHeap(MemoryBudget budget)
    {
        _budget = budget;
        int count = (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Math.Min(Environment.ProcessorCount, MaxStripes));
        _stripes = new StringStripe[count];
        for (int i = 0; i < count; i++) _stripes[i] = new StringStripe();
    }

    /// <summary>Bytes of chunks in use.</summary>
    public long LiveBytes => _stripes.Sum(static stripe => stripe.LiveBytes);

    /// <summary>Bytes of chunks that wait for readers.</summary>
    public long RetiredBytes => _stripes.Sum(static stripe => stripe.RetiredBytes);

    /// <summary>Bytes obtained from the system.</summary>
    public long MappedBytes => Volatile.Read(ref _mapped);

    /// <summary>Stores a string.</summary>
    /// <returns>Its word; see <see cref="StringWord"/>.</returns>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing is changed.</exception>
    [SkipLocalsInit]
    public ulong Store(string? s)
    {
        if (s is null) return 0;
        if (s.Length * 3 > StackBytes) return StoreLong(s);
        Span<byte> bytes = stackalloc byte[StackBytes];
        return StoreUtf8(bytes[..Wtf8.Encode(s, bytes)]);
    }

    /// <summary>Stores a text that is UTF-8 already, or any bytes.</summary>
    /// <inheritdoc cref="Store" path="/returns|/exception"/>
    public unsafe ulong StoreUtf8(ReadOnlySpan<byte> text)
    {
        if (text.Length <= StringWord.MaxInlineBytes) return StringWord.Inline(text);
        ulong chunk = TakeChunk(text.Length);
        // SAFETY: the chunk has room for the header and so many bytes and is nobody else's.
        Span<byte> target = new((byte*)chunk + SizeClass.Header, text.Length);
        text.CopyTo(target);
        return StringWord.Seal(chunk, target);
    }

    /// <summary>Frees the chunk of a word that no reader can have: never published, or its row removed two epochs ago.</summary>
    /// <safety>The word came from this heap, was not freed before, and no other thread uses it.</safety>
    public void Free(ulong word)
    {
        if (word == 0 || StringWord.IsInline(word)) return;
        ulong chunk = word & StringWord.AddressMask;
        int length = StringWord.ByteLength(word);
        if (SizeClass.IsLarge(length)) FreeLarge(chunk);
        else Stripe().Free(chunk, SizeClass.Of(length));
    }

    /// <summary>Frees the chunk of a word once the readers that may have it are through: for words replaced by an update.</summary>
    /// <safety>The word came from this heap, and no row holds it any more.</safety>
    public void Retire(ulong word)
    {
        if (word == 0 || StringWord.IsInline(word)) return;
        if (Diagnostics.Mutants.ChunkFreedAtUpdate)
        {
            Free(word);
            return;
        }
        // Full fence: the word left the row before the epoch is read; partner: the advance.
        Interlocked.MemoryBarrier();
        int length = StringWord.ByteLength(word);
        long bytes = SizeClass.IsLarge(length) ? LargeBytes(length) : SizeClass.BytesOf(SizeClass.Of(length));
        StringStripe stripe = Stripe();
        long stamp = GlobalEpoch.Now;
        if (stripe.Retire(word, bytes, stamp)) ReclamationQueue.Add(new RetiredStrings(this, stripe), stamp);
        Epoch.AddGarbage(bytes);
    }

    /// <summary>Gives all memory back. No reader can have a word any more.</summary>
    internal void Release()
    {
        lock (_segmentLock)
        {
            _released = true;
            foreach ((ulong address, long bytes) in _segments) Unmap(address, bytes);
            foreach ((ulong address, long bytes) in _large) Unmap(address, bytes);
            _segments.Clear();
            _large.Clear();
        }
    }

    private unsafe ulong StoreLong(string s)
    {
        int length = Wtf8.ByteCount(s);
        if (length <= StringWord.MaxInlineBytes) return StoreUtf8(System.Text.Encoding.UTF8.GetBytes(s));
        ulong chunk = TakeChunk(length);
        // SAFETY: the chunk has room for the header and so many bytes and is nobody else's.
        Span<byte> target = new((byte*)chunk + SizeClass.Header, length);
        Wtf8.Encode(s, target);
        return StringWord.Seal(chunk, target);
    }

    private ulong TakeChunk(int length)
    {
        if (SizeClass.IsLarge(length)) return MapLarge(length);
        int sizeClass = SizeClass.Of(length);
        StringStripe stripe = Stripe();
        while (true)
        {
            ulong chunk = stripe.TryTake(sizeClass);
            if (chunk == 0) chunk = TakeFromOthers(sizeClass);
            if (chunk != 0) return chunk;
            AddSegment(stripe);
        }
    }

    private ulong TakeFromOthers(int sizeClass)
    {
        foreach (StringStripe stripe in _stripes)
        {
            ulong chunk = stripe.TryTakeFree(sizeClass);
            if (chunk != 0) return chunk;
        }
        return 0;
    }

    private void AddSegment(StringStripe stripe)
    {
        long bytes;
        lock (_segmentLock)
        {
            bytes = _nextSegment;
            ulong address = Map(bytes, hugePages: bytes >= VirtualMemory.HugePageSize);
            _segments.Add((address, bytes));
            _nextSegment = Math.Min(bytes * 2, LargestSegment);
            stripe.AddSegment(address, bytes);
        }
    }

    private ulong MapLarge(int length)
    {
        long bytes = LargeBytes(length);
        ulong chunk;
        lock (_segmentLock)
        {
            chunk = Map(bytes, hugePages: false);
            _large.Add(chunk, bytes);
        }
        Stripe().CountLarge(bytes);
        return chunk;
    }

    private void FreeLarge(ulong chunk)
    {
        long bytes;
        lock (_segmentLock)
        {
            _large.Remove(chunk, out bytes);
            Unmap(chunk, bytes);
        }
        Stripe().CountLarge(-bytes);
    }

    private ulong Map(long bytes, bool hugePages)
    {
        _budget.Charge(bytes, "strings");
        ulong address = VirtualMemory.Map(bytes, hugePages);
        if (address == 0) throw _budget.Refused(bytes, "strings");
        Interlocked.Add(ref _mapped, bytes);
        return address;
    }

    private void Unmap(ulong address, long bytes)
    {
        VirtualMemory.Unmap(address, bytes);
        Interlocked.Add(ref _mapped, -bytes);
        _budget.Release(bytes);
    }

    private static long LargeBytes(int length) => VirtualMemory.RoundUp(length + (long)SizeClass.Header, VirtualMemory.PageSize);

    private unsafe StringStripe Stripe()
    {
        // SAFETY: the slot of the calling thread; never freed.
        return _stripes[ThreadSlots.Current->Index & (_stripes.Length - 1)];
    }

    /// <summary>Comes back for the retired chunks of a stripe as long as there are any.</summary>
    private sealed class RetiredStrings(StringHeap heap, StringStripe stripe) : Retired
    {
        public override void Release()
        {
            int pieces = int.MaxValue;
            while (!ReleaseSome(ref pieces)) pieces = int.MaxValue;
        }

        public override bool ReleaseSome(ref int pieces)
        {
            if (heap._released) return true;
            for (; pieces > 0; pieces--)
            {
                if (!stripe.TryTakeRetired(out ulong word, out long oldest))
                {
                    if (oldest >= 0) ReclamationQueue.Add(this, oldest);
                    return true;
                }
                heap.Free(word);
            }
            return false;
        }
    }
}
