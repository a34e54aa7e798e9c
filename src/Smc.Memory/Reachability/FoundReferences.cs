using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Smc.Memory.Reachability;

/// <summary>References of one piece that may lead to candidates. Their entries, which lie anywhere, are asked for together and looked at when they are there.</summary>
/// <param name="filter">The candidates.</param>
/// <param name="handles">Memory for <see cref="Room"/> of them.</param>
/// <param name="isShared">Whether other threads note what they find at the same time.</param>
/// <safety>It lives inside the critical section in which its references are read, and <see cref="Note"/> ends it.</safety>
internal ref struct FoundReferences(CandidateFilter filter, Span<ulong> handles, bool isShared)
{
    /// <summary>So many are kept at most.</summary>
    public const int Room = 256;

    private const int RowsOfWord = 64;

    private readonly Span<ulong> _handles = handles;
    private int _count;

    /// <summary>Adds references of 64 neighbouring slots.</summary>
    /// <param name="values">The value of the first slot.</param>
    /// <param name="stride">Bytes from one slot's value to the next.</param>
    /// <param name="rows">Which slots, at least one.</param>
    public unsafe void Add(ulong values, uint stride, ulong rows)
    {
        if (_count > Room - RowsOfWord) Note();
        int count = _count;
        // SAFETY: there is room for 64 more; the slots are those of a block that the caller got in its section.
        ref ulong next = ref MemoryMarshal.GetReference(_handles);
        ulong last = 0;
        do
        {
            ulong handle = Volatile.Read(ref *(ulong*)(values + ((uint)BitOperations.TrailingZeroCount(rows) * (ulong)stride)));
            Unsafe.Add(ref next, count) = handle;
            // Neighbours often refer to one row.
            count += handle != last ? 1 : 0;
            last = handle;
        }
        while ((rows &= rows - 1) != 0);
        _count = count;
    }

    /// <summary>Notes the candidates that the references lead to.</summary>
    public void Note()
    {
        Span<ulong> found = _handles[.._count];
        foreach (ulong handle in found) EntryRef.Of(handle).Prefetch();
        filter.Note(found, isShared);
        _count = 0;
    }
}
