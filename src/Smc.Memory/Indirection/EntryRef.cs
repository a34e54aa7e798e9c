using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory.Allocation;
using Smc.Memory.Diagnostics;
using Smc.Memory.Indirection;
using Smc.Memory.Platform;

namespace Smc.Memory;

/// <summary>An entry of the indirection table: its loads, each with the ordering that it needs, and its transitions (<see cref="EntryWord"/> has the diagram).</summary>
/// <remarks>
/// Entries are never unmapped, so a reference to an entry in its range needs no critical section. A packed entry is another matter: what <see cref="Current"/> found is
/// good inside the caller's section. What an entry says about its row is good inside the section, too.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct EntryRef
{
    private readonly ulong _address;

    /// <safety>The address is that of an entry, in a range or in a packed page.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal EntryRef(ulong address) => _address = address;

    /// <summary>The entry's number: neighbours in a collection differ by one, and handles have it above the incarnation.</summary>
    public ulong Number => _address / EntryWord.SizeInBytes;

    /// <summary>The word that compactors and writers compare. Acquire: what is loaded after it is at least as new.</summary>
    internal unsafe ulong Word
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref Entry->Word); // SAFETY: entries are never unmapped.
    }

    /// <summary>The incarnation, with the mark of a dead row. Acquire: partner: <see cref="Publish"/>.</summary>
    internal unsafe uint Incarnation
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref Entry->Incarnation); // SAFETY: entries are never unmapped.
    }

    /// <summary>Where the row is: good inside the critical section in which the word was seen to be the row's. Acquire: partner: <see cref="RowLock.Move"/>.</summary>
    internal unsafe RowLocation Location
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => RowLocation.FromBits(Volatile.Read(ref Entry->Location)); // SAFETY: entries are never unmapped.
    }

    /// <summary>The next in a list of free ids.</summary>
    /// <safety>The entry is dead, no reader that found it alive is left, and the collection's lock is the caller's.</safety>
    internal unsafe uint NextFree => (uint)Entry->Location; // SAFETY: as the caller promises: the location is the list's.

    private unsafe EntryWord* Entry
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (EntryWord*)_address; // SAFETY: only members of this type follow it.
    }

    /// <summary>The entry with a dense id that is so much higher.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public EntryRef After(long ids) => new(_address + ((ulong)ids * EntryWord.SizeInBytes));

    /// <summary>The entry that a handle points to.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static EntryRef Of(ulong handle) => new(Handle.EntryAddress(handle));

    /// <summary>The dense id of an entry in its range.</summary>
    /// <param name="first">The entry with dense id 0.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint IdFrom(EntryRef first) => (uint)((_address - first._address) / EntryWord.SizeInBytes);

    /// <summary>The handle of the row that has an incarnation of this entry, which is in its range.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong HandleWith(uint incarnation) => Handle.Make(_address, incarnation);

    /// <summary>The freeze and the lock of the entry's row.</summary>
    internal unsafe RowLock Lock => new(Entry);

    /// <summary>The collection that the entry belongs to; null once it is disposed.</summary>
    internal MemoryContext? Context => RangeRegistry.Find(Number);

    internal void Prefetch() => Platform.Prefetch.Line(_address);

    /// <summary>Finds the row that has an incarnation, if the entry is in its place.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryLocate(uint incarnation, out RowLocation location)
    {
        // The incarnation is read first (acquire, partner: the release in Publish); a live
        // one means that the location belongs to this row, and neither changes its tenant before the section ends.
        if (Incarnation == incarnation)
        {
            ProtocolSteps.Reach(ProtocolStep.IncarnationMatched);
            location = PlaceOfSeen;
            return true;
        }
        // Nobody reads it: a store here would lie in the loops of all that follow handles.
        Unsafe.SkipInit(out location);
        return false;
    }

    /// <summary>Finds the row that has an incarnation, if the entry is in its place and has no flags.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryLocateUnfrozen(uint incarnation, out RowLocation location)
    {
        if (IsUnfrozen(incarnation))
        {
            ProtocolSteps.Reach(ProtocolStep.WriteInPlace);
            location = PlaceOfSeen;
            return true;
        }
        location = default;
        return false;
    }

    /// <summary>Whether a row has the incarnation, the entry is in its place and has no flags. Acquire, then the location; partner: <see cref="RowLock.Move"/>.</summary>
    /// <remarks>No flag set means: a compactor that freezes the row after this waits for the caller's section before it copies or moves anything.</remarks>
    /// <safety>The caller is inside a critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool IsUnfrozen(uint incarnation) => Word == incarnation;

    /// <summary>As <see cref="Location"/>, for who has just read the word: that load was the acquire.</summary>
    /// <safety>In its critical section the caller has seen that the word, or for a reader the incarnation in it, is the row's.</safety>
    internal unsafe RowLocation PlaceOfSeen
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => RowLocation.FromBits(Entry->Location); // SAFETY: entries are never unmapped. The word was read with acquire.
    }

    /// <summary>Puts the entry into a list of free ids.</summary>
    /// <param name="next">What <see cref="NextFree"/> is from here on.</param>
    /// <safety>As <see cref="NextFree"/>.</safety>
    internal unsafe void LinkFree(uint next) => Entry->Location = next; // SAFETY: as the caller promises.

    /// <summary>Brings a row to life: from here on its handle finds it.</summary>
    /// <returns>The row's incarnation.</returns>
    /// <safety>The caller owns the entry (its slot is reserved), and the row's data is complete.</safety>
    internal unsafe uint Publish(RowLocation location, uint firstIncarnation)
    {
        uint incarnation = NextIncarnation(firstIncarnation);
        // SAFETY: see the contract. Release: row and location are visible before the incarnation; partner: Handle.TryLocate.
        Volatile.Write(ref Entry->Location, location.Bits);
        Volatile.Write(ref Entry->Word, incarnation);
        return incarnation;
    }

    /// <summary>As <see cref="Publish"/>, for a row that no scan sees yet: writers lock it, until <see cref="RowLock.Unlock"/> ends that.</summary>
    /// <safety>As <see cref="Publish"/>.</safety>
    internal unsafe uint PublishDraft(RowLocation location, uint firstIncarnation)
    {
        uint incarnation = NextIncarnation(firstIncarnation);
        // SAFETY: as in Publish.
        Volatile.Write(ref Entry->Location, location.Bits);
        Volatile.Write(ref Entry->Word, incarnation | EntryWord.Frozen);
        return incarnation;
    }

    /// <summary>The incarnation that the next tenant of a dead or unused entry gets.</summary>
    /// <safety>The entry is not alive.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe uint NextIncarnation(uint firstIncarnation)
    {
        // SAFETY: entries are never unmapped.
        uint last = Entry->Incarnation & Handle.MaxIncarnation;
        return last == 0 ? firstIncarnation : last + 1;
    }

    /// <summary>Where the entry of a handle is now, and its word; 0 if no row can have it.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ulong Current(out EntryRef home)
    {
        home = this;
        ulong word = Word;
        return word != 0 ? word : CurrentPacked(out home);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ulong CurrentPacked(out EntryRef home)
    {
        home = this;
        return Context is { } context ? context.Entries.Packed.Current(this, out home) : 0;
    }

    /// <summary>Ends the life that <paramref name="incarnation"/> names. Of several callers one gets true.</summary>
    /// <param name="incarnation">Which row.</param>
    /// <param name="packed">The packed entries of its collection, which may not be registered any more.</param>
    /// <param name="home">Where the row's entry is.</param>
    /// <safety>The caller is inside a critical section.</safety>
    internal unsafe bool TryKill(uint incarnation, PackedEntries packed, out EntryRef home)
    {
        ShortWait wait = default;
        while (true)
        {
            ulong word = packed.Current(this, out home);
            if ((uint)word != incarnation) return false;
            if ((word & EntryWord.Locked) == 0)
            {
                // SAFETY: entries are never unmapped; the caller's section keeps packed ones.
                if (Interlocked.CompareExchange(ref home.Entry->Word, incarnation | EntryWord.Dead, word) != word) continue;
                return true;
            }
            else
            {
                Latch.Spin(ref wait);
            }
        }
    }

    /// <summary>Whether the entry's last row is dead.</summary>
    internal bool IsDead => Incarnation >= EntryWord.Dead;

    /// <summary>Leads from a block's old version to its new one, unless the entry leads elsewhere by now: its row was dead, and it serves another slot.</summary>
    /// <safety>The caller is making the new version, and no row of the old one is written.</safety>
    internal unsafe void Swing(RowLocation from, RowLocation to) => Interlocked.CompareExchange(ref Entry->Location, to.Bits, from.Bits); // SAFETY: entries are never unmapped.

    /// <summary>A handle to the row, or 0 if it is dead.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    internal ulong LiveHandle()
    {
        uint incarnation = Incarnation;
        if (incarnation == 0) incarnation = (uint)CurrentPacked(out _);
        return incarnation is 0 or >= EntryWord.Dead ? 0 : HandleWith(incarnation);
    }

    /// <summary>The handle of a row that was alive in this critical section, dead or not: a dead entry keeps its incarnation until it is used again.</summary>
    /// <safety>The caller saw the row alive in the section that it is in.</safety>
    internal ulong HandleOfSeen()
    {
        uint incarnation = Incarnation;
        if (incarnation == 0) incarnation = (uint)CurrentPacked(out _);
        incarnation &= Handle.MaxIncarnation;
        // A packed entry of a collection that was disposed meanwhile is not found any more.
        return incarnation == 0 ? 0 : HandleWith(incarnation);
    }
}
