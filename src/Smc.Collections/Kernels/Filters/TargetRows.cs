using System.ComponentModel;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The collection that a reference column leads to, with one byte per row in the order of dense ids: what a condition on the row says. Filled before a scan, so that the scan need not
/// touch referenced rows.
/// </summary>
/// <remarks>
/// Handles of other collections, null, removed rows and rows added later have no place or an empty one, and read as <see cref="Unknown"/>. A stale handle whose entry was given
/// to another row has the place of that row: answers for rows of blocks that have such entries are good for living handles only. A pass over a batch keeps both kinds, and looks at
/// them again when it is through with the rest.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct TargetRows
{
    /// <summary>The condition is false for the row.</summary>
    public const byte False = 0;

    /// <summary>The condition is true for the row.</summary>
    public const byte True = 1;

    /// <summary>There is no answer: no row yet, or the condition raised.</summary>
    public const byte Unknown = KeptForNow;

    // The lowest bit keeps a row of the scan; the next says that it has to be looked at again.
    private const byte KeptForNow = 3;
    private const byte ForLivingHandles = KeptForNow | 4;
    private const int AnswerForLivingHandles = 3;

    /// <summary>Above so many bits of a handle is what dense ids are made of.</summary>
    public const int DenseIdShift = 20;

    /// <summary>A whole column is looked up where at least one row in so many is left.</summary>
    private const int DenseShare = 3;

    /// <summary>As <see cref="DenseShare"/>, where <see cref="BitPages"/> make that faster.</summary>
    private const int DenseShareOfPages = 8;

    /// <summary>After so many rows it is known whether that is worth the time.</summary>
    private const long Trial = 16384;

    private BlockList? _blocks;
    private bool _isPrefilled;
    private bool _haveRows;
    private byte _check;
    private ulong _bits;
    private bool _isCertain;
    private long _narrowed;
    private long _left;
    private RowShare _open;
    private RowShare _steps;

    /// <summary>The referenced collection's memory; null when no row refers to anything.</summary>
    public MemoryContext? Context { get; private set; }

    /// <summary>
    /// Whether, when the query began, every reference of the scan led to a row that was there, so that no row of the scan can be without an answer for long, and every row that was marked has an answer: then a pass
    /// may be asked for rows that another one, which comes later in the query, has left. After the rows were marked; O(rows).
    /// </summary>
    public readonly bool IsComplete() => _haveRows && HaveAnswers();

    /// <summary>Where the bytes begin.</summary>
    public ulong Flags { get; private set; }

    /// <summary>What is taken from a handle's upper bits to give the dense id.</summary>
    public ulong Origin { get; private set; }

    /// <summary>The number of dense ids; the place after them stands for everything else.</summary>
    public ulong Limit { get; private set; }

    /// <summary>The blocks to fill from; null when there are none.</summary>
    internal readonly BlockList? Blocks => _blocks;

    /// <summary>Finds the collection that a reference column leads to and makes the bytes, all unknown. It has no blocks to fill from when its layout is another than the kernel's, or when filling costs more than it saves.</summary>
    /// <param name="context">The collection with the column; null gives an empty target.</param>
    /// <param name="zoneOffset">Where blocks have the column's zone map.</param>
    /// <param name="layoutHash">The layout that the kernel was made for.</param>
    /// <param name="region">The query's region.</param>
    public static TargetRows Find(MemoryContext? context, ulong zoneOffset, ulong layoutHash, ref Region region)
    {
        TargetRows target = LocateBlocks(context, zoneOffset, layoutHash, out ZoneSpan span);
        target._isPrefilled = target._blocks is not null && !target.Context!.HasReusedIds && (ulong)target.Context.Count == target.Limit;
        target._haveRows = target._isPrefilled && IndexOf(HandleOf(span.Minimum), target.Origin) < target.Limit && IndexOf(HandleOf(span.Maximum), target.Origin) < target.Limit;
        target.Flags = region.Allocate((long)target.Limit + 1);
        Fill(target.Flags, target.Limit, target._isPrefilled ? False : Unknown);
        KernelMemory.Write(target.Flags + target.Limit, Unknown);
        return target;
    }

    /// <summary>As <see cref="Find"/>, without bytes: only to number the referenced rows.</summary>
    public static TargetRows Locate(MemoryContext? context, ulong zoneOffset) => Locate(context, zoneOffset, out _);

    /// <summary>The rows that a reference column of these rows leads to, only to number them.</summary>
    /// <param name="layoutHash">The layout that the kernel was made for; there are none if these rows have another.</param>
    /// <param name="zoneOffset">Where blocks have the column's zone map.</param>
    public readonly TargetRows Next(ulong layoutHash, ulong zoneOffset) => Context?.Layout.Hash == layoutHash ? Locate(Context, zoneOffset) : default;

    /// <summary>As <see cref="Locate(MemoryContext, ulong)"/>, with the blocks, if they have the layout that the kernel was made for; 0 for any.</summary>
    internal static TargetRows LocateBlocks(MemoryContext? context, ulong zoneOffset, ulong layoutHash) => LocateBlocks(context, zoneOffset, layoutHash, out _);

    private static TargetRows LocateBlocks(MemoryContext? context, ulong zoneOffset, ulong layoutHash, out ZoneSpan span)
    {
        TargetRows target = Locate(context, zoneOffset, out span);
        if (target.Context is { } found && (layoutHash == 0 || found.Layout.Hash == layoutHash))
            target._blocks = SnapshotScope.BlocksOf(found);
        return target;
    }

    private static TargetRows Locate(MemoryContext? context, ulong zoneOffset, out ZoneSpan span)
    {
        span = ZoneSpan.Empty;
        if (context is null)
            return default;
        span = ZoneSpan.Over(context, zoneOffset);
        // Null, if there, is the minimum, so the maximum tells the collection.
        ulong highest = span.IsEmpty ? 0 : HandleOf(span.Maximum);
        MemoryContext? target = highest == 0 ? null : MemoryContext.Find(highest);
        return target is null
            ? default
            : new TargetRows { Context = target, Origin = target.Entries.First.Number, Limit = (ulong)target.EntryLimit };
    }

    /// <summary>Zone maps of handles have the top bit flipped.</summary>
    internal static ulong HandleOf(long zone) => unchecked((ulong)zone) ^ (1UL << 63);

    /// <summary>The references to these rows that a block has in a column.</summary>
    /// <param name="block">The block.</param>
    /// <param name="zoneOffset">Where blocks have the column's zone map.</param>
    /// <param name="offset">Where blocks have the reference of slot 0.</param>
    /// <param name="stride">From one slot's reference to the next.</param>
    /// <safety>The caller reached the block in its critical section.</safety>
    public readonly BlockNumbers ReferencesIn(ulong block, ulong zoneOffset, ulong offset, ulong stride) =>
        _open.IsAboveOneIn(BlockNumbers.RowsForOneOpen) ? BlockNumbers.OfValues(block + offset, stride) : BlockNumbers.Of(block, zoneOffset, offset, stride, Origin, Limit, DenseIdShift);

    /// <summary>The place of a handle's row: its dense id, or <paramref name="limit"/> when it has none here.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong IndexOf(ulong handle, ulong origin, ulong limit) => Math.Min(IndexOf(handle, origin), limit);

    /// <summary>The dense id of a handle's row, if it is below the number of dense ids; handles of other collections and null give larger numbers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong IndexOf(ulong handle, ulong origin) => unchecked((handle >> DenseIdShift) - origin);

    /// <summary>What a row's handle has above its incarnation: where dense ids begin, and the row's.</summary>
    /// <safety>As <see cref="BlockHeader.DenseIdAt"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong PlaceOf(ulong block, ulong slot) => BlockHeader.FirstEntry(block) + BlockHeader.DenseIdAt(block, (int)slot);

    /// <summary>Whether a handle names a row that exists. Inside a critical section.</summary>
    public static bool IsAlive(ulong handle) => RowAccess.IsAlive(handle);

    /// <summary>Marks a row of the block that <see cref="MarkFalse"/> was called for last.</summary>
    /// <safety><paramref name="block"/> is one of the target's, and the slot holds a row.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Mark(ulong block, ulong slot, byte flag)
    {
        ulong id = BlockHeader.DenseIdAt(block, (int)slot);
        if (id < Limit)
            KernelMemory.Write(Flags + id, flag == Unknown || _check == False ? flag : (byte)(ForLivingHandles | flag << AnswerForLivingHandles));
    }

    /// <summary>As <see cref="Mark"/>, with the answer of a condition, which is none if a number did not fit on the way.</summary>
    /// <param name="block">The block.</param>
    /// <param name="slot">The row's slot.</param>
    /// <param name="answer">The answer.</param>
    /// <param name="isUnknown">Whether there is none; false afterwards.</param>
    /// <safety>As <see cref="Mark"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void MarkUnlessUnknown(ulong block, ulong slot, bool answer, ref bool isUnknown)
    {
        Mark(block, slot, isUnknown ? Unknown : (byte)KernelMemory.ToUInt64(answer));
        isUnknown = false;
    }

    /// <summary>Marks the rows that a block holds as false, before a condition marks some of them as true.</summary>
    /// <safety>As <see cref="Mark"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void MarkFalse(ulong block, int slots, ulong validity)
    {
        _check = BlockHeader.HasReusedEntries(block) ? ForLivingHandles : False;
        if (_isPrefilled && _check == False)
            return;
        byte flag = _check;
        // SAFETY: blocks have a back-pointer per slot and a validity bit; ids below the limit have a byte.
        byte* flags = (byte*)Flags;
        ulong* valid = (ulong*)validity;
        if (BlockHeader.TryFirstId(block, out uint first) && first + (ulong)slots <= Limit)
        {
            for (int slot = 0; slot < slots; slot += 64)
                Expand(valid[slot >> 6], flags + first + (uint)slot, Math.Min(64, slots - slot), flag);
            return;
        }

        uint* ids = (uint*)BlockHeader.BackPointers(block);
        for (nint slot = 0; slot < slots; slot++)
        {
            uint id = ids[slot];
            if (id < Limit && ((valid[slot >> 6] >> (int)(slot & 63)) & 1) != 0)
                flags[(nuint)id] = flag;
        }
    }

    /// <summary>
    /// A block's rows are marked. Rows that are hidden by now, because they were removed or retired, have no answer: the condition may not have been asked for them, and references still
    /// lead to those that are retired.
    /// </summary>
    /// <remarks>After the rows were read: one that was hidden for the condition is hidden now. One that was hidden since loses its answer, which costs nothing but time.</remarks>
    /// <safety>As <see cref="MarkFalse"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly unsafe void ForgetHidden(ulong block)
    {
        // SAFETY: blocks have a back-pointer for each slot in use, and a validity bit; ids below the limit have a byte.
        ulong* valid = (ulong*)BlockHeader.Validity(block);
        uint* ids = (uint*)BlockHeader.BackPointers(block);
        int slots = BlockHeader.SlotCount(block);
        for (int first = 0; first < slots; first += 64)
        {
            ulong hidden = ~Volatile.Read(ref valid[first >> 6]);
            if (slots - first < 64)
                hidden &= (1UL << (slots - first)) - 1;
            for (; hidden != 0; hidden &= hidden - 1)
            {
                uint id = ids[first + BitOperations.TrailingZeroCount(hidden)];
                if (id < Limit)
                    KernelMemory.Write(Flags + id, Unknown);
            }
        }
    }

    /// <summary>Whether the block got its first row with a reused entry while its rows were marked: then they have to be marked again.</summary>
    /// <safety>As <see cref="Mark"/>.</safety>
    public readonly bool MustRepeat(ulong block)
    {
        // The rows were read before this; partner: the block knows of a reused entry before its row is published.
        Interlocked.MemoryBarrier();
        return _check == False && BlockHeader.HasReusedEntries(block);
    }

    /// <summary>The rows that are marked as true.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    internal readonly unsafe long CountTrue()
    {
        // SAFETY: there are as many bytes as ids.
        byte* flags = (byte*)Flags;
        long count = 0;
        ulong id = 0;
        for (; id + (ulong)Vector512<byte>.Count <= Limit; id += (ulong)Vector512<byte>.Count)
            count += BitOperations.PopCount(Vector512.Equals(Vector512.Load(flags + id), Vector512.Create(True)).ExtractMostSignificantBits());
        for (; id < Limit; id++)
            count += flags[id] == True ? 1 : 0;
        return count;
    }

    /// <summary>Whether no row is one for which the condition raised, or that leads to none.</summary>
    private readonly unsafe bool HaveAnswers() => Limit <= int.MaxValue && !new ReadOnlySpan<byte>((void*)Flags, (int)Limit).Contains(Unknown); // SAFETY: there are as many bytes as ids.

    /// <summary>Makes a table of bits, one for each byte, once all rows are marked: whole columns are looked up there.</summary>
    /// <param name="region">The query's region.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public unsafe void Pack(ref Region region)
    {
        // SAFETY: there are as many bytes, and one more, which stands for what has no place; the table has as many bits, in whole words.
        byte* flags = (byte*)Flags;
        ulong wholeWords = Limit / 64;
        ulong* words = (ulong*)(_bits = NumberLookUp.AllocateBits(ref region, Limit));
        Vector512<byte> seen = Vector512<byte>.Zero;
        for (ulong w = 0; w < wholeWords; w++)
        {
            Vector512<byte> bytes = Vector512.Load(flags + (w * 64));
            seen |= bytes;
            // The lowest bit keeps a row.
            words[w] = Vector512.ShiftLeft(bytes, 7).ExtractMostSignificantBits();
        }

        _isCertain = !Vector512.GreaterThanAny(seen, Vector512.Create(True));
        for (ulong id = wholeWords * 64; id <= Limit; id++)
        {
            words[wholeWords] |= (flags[id] & 1UL) << (int)(id & 63);
            _isCertain &= flags[id] <= True || id == Limit;
        }

        // What has no place may also lie before the first.
        words[-1] = 0 - (flags[Limit] & 1UL);
    }

    /// <summary>Appends to a selection the rows of a batch whose referenced row is marked as true, as <see cref="Keep"/> would leave them.</summary>
    /// <param name="references">The references.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows.</param>
    /// <param name="bitmap">A bit for each row of the batch. What it is afterwards is nobody's business.</param>
    /// <param name="selection">The selection.</param>
    /// <param name="count">How many rows are in it.</param>
    /// <param name="hasUnknown">As in <see cref="Keep"/>.</param>
    /// <returns>How many are then.</returns>
    /// <safety>As <see cref="Keep"/> and <see cref="RowBitmap.AppendTo"/>; after <see cref="Pack"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Append(in BlockNumbers references, int first, int rows, ulong bitmap, ulong selection, int count, ref bool hasUnknown)
    {
        int appended = AppendForNow(references, first, rows, bitmap, selection, count, out bool mustLookAgain);
        return count + (mustLookAgain ? Keep(references, selection + ((ulong)count * sizeof(uint)), appended, ref hasUnknown) : appended);
    }

    /// <summary>What <see cref="Append"/> takes for each row of a block: picoseconds, for <see cref="FilterOrder.Weigh"/>.</summary>
    /// <param name="references">The references.</param>
    /// <param name="slots">The block's slots.</param>
    /// <safety>As <see cref="Append"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public readonly int Cost(in BlockNumbers references, int slots)
    {
        if (!CanLookUp(references))
            return FilterOrder.CostOfSelected;
        if (references.Codes == 0)
            return NumberLookUp.CostOfKeep;
        return NumberLookUp.CostOfKeepByCodes(references, Limit, slots, otherwise: _isCertain ? NumberLookUp.CostByFlags : NumberLookUp.CostOfKeep);
    }

    /// <summary>As <see cref="Append"/> for a scan that marks rows itself: see <see cref="KeepToMark"/>.</summary>
    /// <param name="block">The block in which the slots are.</param>
    /// <param name="marked">The rows that the scan marks.</param>
    /// <param name="references">The references.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows.</param>
    /// <param name="bitmap">A bit for each row of the batch. What it is afterwards is nobody's business.</param>
    /// <param name="selection">The selection.</param>
    /// <param name="count">How many rows are in it.</param>
    /// <returns>How many are then.</returns>
    /// <safety>As <see cref="Append"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int AppendToMark(ulong block, in TargetRows marked, in BlockNumbers references, int first, int rows, ulong bitmap, ulong selection, int count)
    {
        int appended = AppendForNow(references, first, rows, bitmap, selection, count, out bool mustLookAgain);
        return count + (mustLookAgain ? KeepToMark(block, marked, references, selection + ((ulong)count * sizeof(uint)), appended) : appended);
    }

    /// <summary>Drops rows of a batch whose referenced row is marked as false, where so many are left that looking a whole column up pays; when nearly all stay, it soon stops. Those that stay are to be asked by <see cref="Keep"/> still.</summary>
    /// <param name="references">The references.</param>
    /// <param name="first">The batch's first slot, a multiple of 64.</param>
    /// <param name="rows">The batch's rows.</param>
    /// <param name="bitmap">A bit for each row of the batch.</param>
    /// <safety>As <see cref="Append"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Narrow(in BlockNumbers references, int first, int rows, ulong bitmap)
    {
        int left = RowBitmap.Count(bitmap, rows);
        int share = BitPages.AreSupported && references.Codes != 0 ? DenseShareOfPages : DenseShare;
        if (left * share < rows || (_narrowed > Trial && _left > _narrowed / 8 * 7) || !CanLookUp(references))
            return;
        LookUp(references, first, rows, bitmap);
        _narrowed += left;
        _left += RowBitmap.Count(bitmap, rows);
    }

    /// <summary>Appends rows that may be true: all, or those that the table of bits leaves. When the table says that none of them is doubtful, they are.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int AppendForNow(in BlockNumbers references, int first, int rows, ulong bitmap, ulong selection, int count, out bool mustLookAgain)
    {
        bool isCertain = CanLookUp(references) && LookUp(references, first, rows, bitmap) && _isCertain;
        mustLookAgain = !isCertain;
        return RowBitmap.AppendTo(selection, count, bitmap, first, rows) - count;
    }

    private readonly bool CanLookUp(in BlockNumbers references) => HasCodesAndAnswers(references) || NumberLookUp.IsPossible<ulong>(references.Stride, Limit);

    private readonly bool HasCodesAndAnswers(in BlockNumbers references) => references.Codes != 0 && _isCertain;

    /// <summary>Clears the rows of a batch whose referenced row has no bit; whether each reference has a number.</summary>
    private bool LookUp(in BlockNumbers references, int first, int rows, ulong bitmap)
    {
        bool hasOthers;
        // A byte of a row without an answer has more than the lowest bit, which is all that pages have.
        if (references.Codes == 0 || !NumberLookUp.TryKeepByPages<ulong>(_bits, Flags, references, Origin, Limit, DenseIdShift, first, rows, bitmap, out int open, out hasOthers))
        {
            if (!HasCodesAndAnswers(references))
                return NumberLookUp.Keep<ulong>(_bits, Origin, Limit, DenseIdShift, references.Column, first, rows, bitmap);
            open = NumberLookUp.KeepByFlags<ulong>(Flags, references, Origin, Limit, DenseIdShift, first, rows, bitmap, out hasOthers);
        }

        _open.Note(rows, open);
        return !hasOthers;
    }

    /// <summary>Keeps the selected rows whose referenced row is marked as true.</summary>
    /// <param name="references">The references.</param>
    /// <param name="selection">The slots, 32 bits each, and <see cref="ScanBatch.Ahead"/> bytes behind them.</param>
    /// <param name="count">How many.</param>
    /// <param name="hasUnknown">Becomes true if a row has no answer; none is kept then.</param>
    /// <returns>How many are kept.</returns>
    /// <safety>The column is that of the block in which the slots are; the bytes behind the selection can be read. Inside the critical section in which the rows were marked.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int Keep(in BlockNumbers references, ulong selection, int count, ref bool hasUnknown)
    {
        count = KeepForNow(references, selection, count, out bool mustLookAgain);
        if (mustLookAgain && !LookAgain(references, selection, ref count, default, 0))
        {
            hasUnknown = true;
            return 0;
        }

        return count;
    }

    /// <summary>As <see cref="Keep"/> for a scan that marks rows itself: those that have no answer here are unknown there, and not kept.</summary>
    /// <param name="block">The block in which the slots are.</param>
    /// <param name="marked">The rows that the scan marks.</param>
    /// <param name="references">The references.</param>
    /// <param name="selection">The slots, as in <see cref="Keep"/>.</param>
    /// <param name="count">How many.</param>
    /// <returns>How many are kept.</returns>
    /// <safety>As <see cref="Keep"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int KeepToMark(ulong block, in TargetRows marked, in BlockNumbers references, ulong selection, int count)
    {
        count = KeepForNow(references, selection, count, out bool mustLookAgain);
        if (mustLookAgain)
            LookAgain(references, selection, ref count, marked, block);
        return count;
    }

    /// <summary>Whether the row that a reference leads to is marked as true.</summary>
    /// <param name="reference">The reference.</param>
    /// <param name="hasUnknown">Becomes true if the row has no answer; false is the answer then.</param>
    /// <safety>Inside the critical section in which the rows were marked.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool IsTrue(ulong reference, ref bool hasUnknown)
    {
        byte flag = KernelMemory.Read<byte>(Flags + IndexOf(reference, Origin, Limit));
        return flag <= True ? flag == True : IsTrueOfLiving(reference, flag, ref hasUnknown);
    }

    private static bool IsTrueOfLiving(ulong reference, byte flag, ref bool hasUnknown)
    {
        bool isKnown = flag != Unknown && IsAlive(reference);
        hasUnknown |= !isKnown;
        return isKnown && flag >> AnswerForLivingHandles == True;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int KeepForNow(in BlockNumbers references, ulong selection, int count, out bool mustLookAgain)
    {
        if (_bits != 0)
            count = references.Steps.KeepIfWorth(ref _steps, _bits, Limit, selection, count);
        byte seen;
        int kept;
        if (references.Codes != 0)
        {
            kept = NumberFlags.KeepByCodes<ulong>(Flags, references, Origin, Limit, DenseIdShift, selection, count, out seen, out int open);
            _open.Note(count, open);
        }
        else
        {
            kept = references.Stride == sizeof(ulong)
                ? NumberFlags.KeepInColumn(Flags, Origin, Limit, references.Column, selection, count, out seen)
                : NumberFlags.KeepInRows(Flags, Origin, Limit, references.Column, references.Stride, selection, count, out seen);
        }

        mustLookAgain = seen > True;
        return kept;
    }

    /// <summary>Drops the rows that were kept for now and have no answer, or another; false if some have none. A reference that a writer changes meanwhile counts as it is read here.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private readonly unsafe bool LookAgain(in BlockNumbers references, ulong selection, ref int count, in TargetRows marked, ulong block)
    {
        bool isKnown = true;
        // SAFETY: the caller's promise; kept slots overwrite those that were read before, and every place has a byte.
        uint* next = (uint*)selection, end = next + count, kept = next;
        for (; next < end; next++)
        {
            uint slot = *next;
            ulong reference = KernelMemory.Read<ulong>(references.Column + (slot * references.Stride));
            byte flag = KernelMemory.Read<byte>(Flags + IndexOf(reference, Origin, Limit));
            if (flag == Unknown || (flag > True && !IsAlive(reference)))
            {
                isKnown = false;
                if (block != 0)
                    marked.Mark(block, slot, Unknown);
                continue;
            }

            *kept = slot;
            kept += flag > True ? flag >> AnswerForLivingHandles : flag;
        }

        count = (int)(kept - (uint*)selection);
        return isKnown;
    }

    /// <summary>Writes a byte for each bit: the flag where it is set, <see cref="Unknown"/> where not.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe void Expand(ulong bits, byte* bytes, int count, byte flag)
    {
        const ulong Ones = 0x0101010101010101;
        // SAFETY: the caller has so many bytes.
        int i = 0;
        for (; i + 8 <= count; i += 8, bits >>= 8)
        {
            // The byte in every place, of which place k keeps bit k; then every place that is not empty becomes 1.
            ulong places = ((bits & 0xFF) * Ones) & 0x8040201008040201;
            ulong isSet = ((places + 0x7F7F7F7F7F7F7F7F) | places) >> 7 & Ones;
            Unsafe.WriteUnaligned(bytes + i, (isSet * flag) | ((isSet ^ Ones) * Unknown));
        }

        for (; i < count; i++, bits >>= 1)
            bytes[i] = (bits & 1) != 0 ? flag : Unknown;
    }

    /// <summary>When every dense id has a row, all begin as false at once.</summary>
    private static unsafe void Fill(ulong flags, ulong count, byte flag) => Unsafe.InitBlockUnaligned((void*)flags, flag, (uint)count); // SAFETY: the bytes were just allocated; ids fit 32 bits.
}
