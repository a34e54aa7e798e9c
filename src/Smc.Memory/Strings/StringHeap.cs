using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Epochs;
using Smc.Memory.Platform;
using Smc.Memory.Reclamation;
using Smc.Memory.Strings;

namespace Smc.Memory;

/// <summary>
/// The strings of one collection that are too long for their row. Chunks are immutable: an update stores a new one, swaps the row's word
/// and retires the old one, which is freed when no reader can have it any more. Rows share the chunks of columns with few distinct texts.
/// </summary>
/// <remarks>
/// It owns what becomes of a text; <see cref="StringSegments"/> owns the memory, and <see cref="StringEvacuation"/> gives it back.
/// Locks, in the order in which they are taken: a stripe's lock for freeing, the lock of segments, the lock of a stripe.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class StringHeap
{
    /// <summary>So many texts are stored at once at most.</summary>
    public const int BatchSize = TextBatch.Size;

    private const int StackBytes = 768;
    private const int MaxStripes = 8;

    private readonly StringSegments _segments;
    private readonly StringStripe[] _stripes;
    private readonly InternedStrings _interned;
    private readonly Snapshots.HeldStrings _held = new();

    internal StringHeap(MemoryBudget budget, Reclaimer reclaimer, BlockLayout layout, MemoryContextOptions options)
    {
        Reclaimer = reclaimer;
        _segments = new StringSegments(budget, options.FirstStringSegment, options.LargestStringSegment);
        Evacuation = new StringEvacuation(_segments, reclaimer);
        _interned = new InternedStrings(this, _segments, layout, options.MaxInternedTexts);
        int count = (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)Math.Min(Environment.ProcessorCount, MaxStripes));
        _stripes = new StringStripe[count];
        for (int i = 0; i < count; i++) _stripes[i] = new StringStripe();
    }

    /// <summary>Bytes of chunks in use.</summary>
    public long LiveBytes => _stripes.Sum(static stripe => stripe.LiveBytes) + Evacuation.Target.LiveBytes + _interned.LiveBytes;

    /// <summary>Bytes of chunks that wait for readers.</summary>
    public long RetiredBytes => _stripes.Sum(static stripe => stripe.RetiredBytes) + Evacuation.Target.RetiredBytes + _interned.RetiredBytes;

    /// <summary>Bytes of chunks that rows share; part of <see cref="LiveBytes"/>.</summary>
    public long InternedBytes => _interned.LiveBytes;

    /// <summary>Bytes obtained from the system.</summary>
    public long MappedBytes => _segments.MappedBytes;

    /// <summary>Stores a string of a column. Rows of columns with few distinct texts share chunks.</summary>
    /// <param name="s">The string.</param>
    /// <param name="columnOffset">Offset of the column: where its value of slot 0 is in a block.</param>
    /// <returns>Its word; see <see cref="StringWord"/>.</returns>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory; nothing is changed.</exception>
    /// <safety>The caller is inside a critical section, in which the word comes into a row of the column or is given to <see cref="Free"/>.</safety>
    [SkipLocalsInit]
    public ulong Store(string? s, int columnOffset)
    {
        if (s is null) return 0;
        if (s.Length * 3 > StackBytes) return StoreLong(s);
        Span<byte> bytes = stackalloc byte[StackBytes];
        return StoreUtf8(bytes[..Wtf8.Encode(s, bytes)], columnOffset);
    }

    /// <summary>Stores a text that is UTF-8 already, or any bytes, in a chunk of its own unless it is short.</summary>
    /// <inheritdoc cref="Store" path="/returns|/exception"/>
    /// <safety>Not for a column that kernels ask about with <see cref="Find"/>: its strings go through <see cref="Store"/>.</safety>
    public ulong StoreUtf8(ReadOnlySpan<byte> text) => text.Length <= StringWord.MaxInlineBytes ? StringWord.Inline(text) : StoreApart(text, StringWord.Hash(text));

    /// <summary>Stores texts as <see cref="StoreUtf8(ReadOnlySpan{byte}, int)"/> does one after the other, but takes the chunks of all of them in one piece.</summary>
    /// <param name="texts">The texts, without gaps.</param>
    /// <param name="words">Of each text one more than its bytes, 0 for null; then its word. <see cref="BatchSize"/> at most.</param>
    /// <param name="columnOffset">As for <see cref="Store"/>; -1 for binary values, which rows never share.</param>
    /// <exception cref="OffHeapMemoryException">The limit or the system does not leave the memory. Chunks that this call took stay taken until the collection ends.</exception>
    /// <safety>As <see cref="Store"/>.</safety>
    public void StoreBatch(ReadOnlySpan<byte> texts, Span<ulong> words, int columnOffset) => TextBatch.Store(this, columnOffset < 0 ? null : _interned.Find(columnOffset), texts, words);

    /// <summary>How a column holds a text.</summary>
    /// <param name="text">The text as a word: inline, or in a region of the caller.</param>
    /// <param name="columnOffset">As for <see cref="Store"/>.</param>
    /// <safety>The caller is inside the critical section in which it uses the answer.</safety>
    public TextForm Find(ulong text, int columnOffset)
    {
        if (text == 0 || StringWord.IsInline(text)) return new TextForm(text, IsExact: true);
        if (_interned.Find(columnOffset) is not { } column || !_interned.IsExact(column)) return new TextForm(text, IsExact: false);
        ReadOnlySpan<byte> bytes = StringWord.Bytes(in text);
        if (bytes.Length > InternedColumn.MaxTextBytes) return new TextForm(text, IsExact: false);
        // Before the look-up: if texts are still taken in, one that is not there is in no row, and no row holds the caller's own word either.
        bool takesIn = column.TakesIn;
        ulong word = column.Find(bytes);
        return word != 0 ? new TextForm(word, IsExact: true) : new TextForm(text, takesIn);
    }

    /// <summary>True if equal texts that a column interned are equal words: the word of an interned text may stand for it as a key.</summary>
    /// <inheritdoc cref="Find" path="/param[@name='columnOffset']|/safety"/>
    public bool HasExactWords(int columnOffset) => _interned.Find(columnOffset) is { } column && _interned.IsExact(column);

    /// <summary>Frees the chunk of a word that no reader can have: never published, or its row removed two epochs ago. While there is a snapshot it is kept, whoever retired it, and when.</summary>
    /// <safety>The word came from this heap, was not freed before, and no other thread uses it.</safety>
    public void Free(ulong word)
    {
        if (!StringWord.OwnsChunk(word)) return;
        if (IsHolding)
        {
            Hold(word);
            return;
        }
        TextChunk chunk = StringWord.ChunkOf(word);
        int length = StringWord.ByteLength(word);
        if (SizeClass.IsLarge(length)) FreeLarge(chunk);
        else FreeSmall(chunk, SizeClass.Of(length));
    }

    /// <summary>Frees the chunk of a word once the readers that may have it are through: for words replaced by an update.</summary>
    /// <safety>The word came from this heap, and no row holds it any more.</safety>
    public void Retire(ulong word)
    {
        if (!StringWord.OwnsChunk(word)) return;
        if (IsHolding)
        {
            Hold(word);
            return;
        }
        RetireNow(word);
    }

    private void RetireNow(ulong word)
    {
        // Full fence: the word left the row before the epoch is read; partner: the advance.
        Interlocked.MemoryBarrier();
        long bytes = ChunkBytes(word);
        StringStripe stripe = Stripe();
        long stamp = GlobalEpoch.Now;
        if (stripe.Retire(word, bytes, stamp)) Reclaimer.Retire(new RetiredStrings(this, stripe), stamp);
        Reclaimer.AddGarbage(bytes);
    }

    /// <summary>Whether chunks that rows give up are kept, because a snapshot may read them.</summary>
    internal bool IsHolding
    {
        get => _held.IsHolding;
        set => _held.IsHolding = value;
    }

    /// <summary>Whether words in a block may be exchanged by who goes through all rows: not for a snapshot, nor where they are those of a version that has a successor, which owns the chunks then.</summary>
    /// <remarks>A block gets its successor while a snapshot is open, and none begins nor ends while the caller's window is open. But one may have come and gone since the caller got the block.</remarks>
    /// <safety>The caller is inside a <see cref="WriteWindow"/>, in which it exchanges the words, and in the critical section in which it got the block.</safety>
    internal bool MayExchangeIn(BlockRef block) => !IsHolding && block.Next.IsNone;

    /// <summary>Bytes of chunks that are kept for snapshots; part of <see cref="LiveBytes"/>.</summary>
    internal long HeldBytes => _held.Bytes;

    /// <summary>Frees the kept chunks that no snapshot from <paramref name="oldest"/> on can read, once readers are through.</summary>
    internal void ReleaseHeld(long oldest)
    {
        // Those of this moment: writers may keep more as fast as this thread frees them.
        for (int left = _held.Count; left > 0 && _held.TryTake(oldest, ChunkBytes, out ulong word); left--) RetireNow(word);
    }

    private void Hold(ulong word)
    {
        if (!_held.TryAdd(word, ChunkBytes(word))) RetireNow(word);
    }

    private static long ChunkBytes(ulong word)
    {
        int length = StringWord.ByteLength(word);
        return SizeClass.IsLarge(length) ? LargeBytes(length) : SizeClass.BytesOf(SizeClass.Of(length));
    }

    /// <summary>Frees what is retired here.</summary>
    internal Reclaimer Reclaimer { get; }

    /// <summary>Gives the memory of sparse segments back.</summary>
    internal StringEvacuation Evacuation { get; }

    /// <summary>Gives all memory back. No reader can have a word any more.</summary>
    internal void Release()
    {
        _segments.IsReleased = true;
        // Threads that free retired chunks now are done before the memory goes; later ones see the mark.
        foreach (StringStripe stripe in _stripes) lock (stripe.Freeing) { }
        _segments.Release();
        _interned.Release();
    }

    /// <summary>Begins to give the shared chunks of a collection back that has just been cleared.</summary>
    internal void ResetInterning(StringCompaction compaction) => _interned.BeginReset(compaction);

    /// <summary>Stores a text of a column that is UTF-8 already (<see cref="StringWord.IsWellFormed"/>).</summary>
    /// <inheritdoc cref="Store" path="/returns|/exception"/>
    /// <safety>As <see cref="Store"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong StoreUtf8(ReadOnlySpan<byte> text, int columnOffset)
    {
        if (text.Length <= StringWord.MaxInlineBytes) return StringWord.Inline(text);
        ulong hash = StringWord.Hash(text);
        if (text.Length <= InternedColumn.MaxTextBytes && _interned.Find(columnOffset) is { } column && column.TryIntern(text, hash, out ulong word)) return word;
        return StoreApart(text, hash);
    }

    /// <summary>Stores a text that is not short in a chunk of its own.</summary>
    internal ulong StoreApart(ReadOnlySpan<byte> text, ulong hash)
    {
        TextChunk chunk = TakeChunk(text.Length);
        // SAFETY: the chunk has room for so many bytes and is nobody else's.
        text.CopyTo(chunk.Text(text.Length));
        return chunk.Seal(text, hash);
    }

    private ulong StoreLong(string s)
    {
        int length = Wtf8.ByteCount(s);
        if (length <= StringWord.MaxInlineBytes) return StoreUtf8(System.Text.Encoding.UTF8.GetBytes(s));
        TextChunk chunk = TakeChunk(length);
        // SAFETY: the chunk has room for so many bytes and is nobody else's.
        Span<byte> target = chunk.Text(length);
        Wtf8.Encode(s, target);
        return chunk.Seal(target);
    }

    private TextChunk TakeChunk(int length)
    {
        if (SizeClass.IsLarge(length)) return MapLarge(length);
        int sizeClass = SizeClass.Of(length);
        StringStripe stripe = Stripe();
        while (true)
        {
            TextChunk chunk = stripe.TryTake(sizeClass);
            if (chunk.IsNone) chunk = TakeFromOthers(sizeClass);
            if (!chunk.IsNone) return chunk;
            _segments.AddTo(stripe, SizeClass.BytesOf(sizeClass));
        }
    }

    private TextChunk TakeFromOthers(int sizeClass)
    {
        foreach (StringStripe stripe in _stripes)
        {
            TextChunk chunk = stripe.TryTakeFree(sizeClass);
            if (!chunk.IsNone) return chunk;
        }
        return Evacuation.Target.TryTakeFree(sizeClass);
    }

    private void FreeSmall(TextChunk chunk, int sizeClass)
    {
        StringSegment segment = _segments.Find(chunk)!;
        if (segment.Owner.Free(segment, chunk, sizeClass)) _segments.Unmap(segment);
    }

    private TextChunk MapLarge(int length)
    {
        long bytes = LargeBytes(length);
        TextChunk chunk = _segments.MapLarge(bytes);
        Stripe().CountLarge(bytes);
        return chunk;
    }

    private void FreeLarge(TextChunk chunk) => Stripe().CountLarge(-_segments.UnmapLarge(chunk));

    private static long LargeBytes(int length) => VirtualMemory.RoundUp(length + (long)SizeClass.Header, VirtualMemory.PageSize);

    internal unsafe StringStripe Stripe()
    {
        // SAFETY: the slot of the calling thread; never freed.
        return _stripes[ThreadSlots.Current->Index & (_stripes.Length - 1)];
    }

    /// <summary>Comes back for the retired chunks of a stripe as long as there are any.</summary>
    private sealed class RetiredStrings(StringHeap heap, StringStripe stripe) : RetiredParts
    {
        public override bool ReleaseSome(ref int pieces)
        {
            // The collection may end meanwhile, on a thread that frees what another lane holds.
            lock (stripe.Freeing)
            {
                if (heap._segments.IsReleased) return true;
                for (; pieces > 0; pieces--)
                {
                    if (!stripe.TryTakeRetired(out ulong word, out long oldest))
                    {
                        Stamp = oldest;
                        return oldest < 0;
                    }
                    heap.Free(word);
                }
                // The policy sees by the age of what is left and due whether it is behind.
                if (stripe.OldestRetired is >= 0 and long left && Epoch.HasPassed(left)) Stamp = left;
                return false;
            }
        }
    }
}
