using System.ComponentModel;
using Smc.Memory.Compaction;
using Smc.Memory.Diagnostics;

namespace Smc.Memory;

/// <summary>
/// The way of an enumeration through the blocks of a collection in many critical sections. It follows the rows of the blocks that were there at
/// the start through compactions: each row that stays is met once, wherever it is when its turn comes.
/// </summary>
/// <remarks>
/// In each section: <see cref="TryFind"/>, read slots, <see cref="Pass"/>. Blocks that were added later are not met, so that a loop that adds
/// a row for each row comes to an end. When a block leaves, the part of the target with its rows takes its place: a route is a list of pieces,
/// ranges of slots. A copy of a route goes its own way.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct BlockRoute
{
    // Where a block ends that is read whole: its high-water mark at that time.
    private const int Whole = int.MaxValue;

    private readonly MemoryContext _context;
    private readonly BlockList _blocks;
    private BlockDeparture _seen;
    private Piece[]? _pieces;
    private int _piece;
    private int _from;

    /// <summary>Begins a route through the blocks that are there now.</summary>
    public BlockRoute(MemoryContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        _context = context;
        _blocks = context.Store.List;
        _seen = _blocks.LastDeparture;
    }

    private readonly record struct Piece(BlockRef Block, int From, int To);

    // The pieces are the blocks of the list until the first of them leaves.
    private readonly int PieceCount => _pieces?.Length ?? _blocks.Count;

    private readonly Piece Current => (_pieces?[_piece] ?? new Piece(_blocks[_piece], 0, Whole)) with { From = _from };

    /// <summary>Finds the slots that are next, good for the caller's critical section.</summary>
    /// <param name="block">The block.</param>
    /// <param name="from">The first slot.</param>
    /// <param name="to">The slot after the last.</param>
    /// <returns>False at the end.</returns>
    /// <safety>The caller is inside a critical section, and saw in it that the collection is not disposed.</safety>
    public bool TryFind(out BlockRef block, out int from, out int to)
    {
        while (true)
        {
            BlockList now = _context.Store.List;
            Follow(now.LastDeparture);
            if (_piece == PieceCount)
            {
                (block, from, to) = (default, 0, 0);
                return false;
            }
            Piece piece = Current;
            // Decided anew in each section: before the move the old block, after it the target, which the list shows later.
            if (now.GroupOf(piece.Block) is { } group && !MayReadSources(group))
            {
                group.FinishMove();
                Replace(BlockDeparture.Of(group));
                continue;
            }
            (block, from, to) = (piece.Block, piece.From, Math.Min(piece.To, piece.Block.SlotCount));
            if (from < to) return true;
            GoTo(_piece + 1);
        }
    }

    /// <summary>Says that the slots below <paramref name="slot"/> of the block that was found last are done.</summary>
    public void Pass(int slot) => _from = slot;

    private static bool MayReadSources(CompactionGroup group)
    {
        ProtocolSteps.Reach(ProtocolStep.BlocksTaken);
        bool may = group.Phase == CompactionPhase.Frozen;
        ProtocolSteps.Reach(ProtocolStep.BlocksDecided);
        return may;
    }

    private void GoTo(int piece)
    {
        _piece = piece;
        _from = _pieces is not null && piece < _pieces.Length ? _pieces[piece].From : 0;
    }

    private void Follow(BlockDeparture last)
    {
        while (_seen != last)
        {
            _seen = _seen.Next!;
            Replace(_seen);
        }
    }

    /// <summary>Puts the places where the rows of departed blocks went in place of these blocks, as far as they are still to be read.</summary>
    private void Replace(BlockDeparture departure)
    {
        List<Piece> pieces = new(PieceCount - _piece);
        while (_piece < PieceCount)
        {
            Piece piece = Current;
            if (departure.Segments.TryGetValue(piece.Block, out Segment segment))
            {
                piece = new Piece(segment.Target, segment.TargetSlot(piece.From), segment.TargetSlot(piece.To));
            }
            if (piece.From < piece.To) pieces.Add(piece);
            GoTo(_piece + 1);
        }
        _pieces = [.. pieces];
        GoTo(0);
    }
}
