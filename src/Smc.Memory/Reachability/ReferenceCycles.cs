using Smc.Memory.Epochs;

namespace Smc.Memory.Reachability;

/// <summary>
/// Counts the orphans that lead to themselves: strongly connected components by Tarjan's algorithm in Pearce's form, without recursion, since lists are long. What it needs is 24 bytes of native memory for
/// each orphan.
/// </summary>
/// <remarks>
/// Invariants: each reference is read once, so the components are those of one graph, whatever others store meanwhile. Each orphan is entered once. It is on the path while its references are read, then open until the
/// row with which its component was entered has no more, then closed.
/// </remarks>
/// <safety>The region outlives this.</safety>
internal unsafe ref struct ReferenceCycles
{
    // In _least: not entered yet, and closed. In between is the number of the step in which the first row was entered that a row and those after it lead to.
    private const uint Fresh = 0;
    private const uint Closed = uint.MaxValue;

    private readonly OrphanNumbers _orphans;
    private readonly CancellationToken _cancellation;

    // By number of the orphan.
    private readonly uint* _least;
    private readonly Step* _path;
    private readonly uint* _open;
    private uint _depth;
    private uint _opened;
    private uint _steps;

    private ReferenceCycles(OrphanNumbers orphans, ref Region region, CancellationToken cancellation)
    {
        _orphans = orphans;
        _cancellation = cancellation;
        _least = (uint*)region.AllocateZeroed(orphans.Count * (long)sizeof(uint));
        _path = (Step*)region.Allocate(orphans.Count * (long)sizeof(Step));
        _open = (uint*)region.Allocate(orphans.Count * (long)sizeof(uint));
    }

    /// <summary>How many orphans are on a cycle. References to other rows count as none.</summary>
    /// <param name="orphans">The orphans.</param>
    /// <param name="region">Gets what is needed.</param>
    /// <param name="cancellation">Ends it early.</param>
    /// <exception cref="OffHeapMemoryException">The limit does not leave the memory.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static long Count(OrphanNumbers orphans, ref Region region, CancellationToken cancellation)
    {
        if (orphans.Count == 0) return 0;
        ReferenceCycles cycles = new(orphans, ref region, cancellation);
        long cyclic = 0;
        for (int collection = 0; collection < orphans.Collections; collection++)
        {
            foreach (uint id in orphans.IdsOf(collection))
            {
                uint number = (uint)orphans.NumberOf(collection, id);
                // SAFETY: the number of an orphan.
                if (cycles._least[number] == Fresh) cyclic += cycles.Visit(collection, id, number);
            }
        }
        return cyclic;
    }

    /// <summary>The bytes that <see cref="Count"/> takes.</summary>
    public static long BytesFor(OrphanNumbers orphans) => orphans.Count * ((2L * sizeof(uint)) + sizeof(Step));

    /// <summary>Goes through what an orphan leads to.</summary>
    /// <returns>How many rows of it are on a cycle.</returns>
    private long Visit(int collection, uint id, uint number)
    {
        long cyclic = 0;
        Enter(collection, id, number);
        while (_depth > 0)
        {
            // SAFETY: an orphan is entered once, so path, open rows and numbers are never more than there are orphans.
            ref Step step = ref _path[_depth - 1];
            if (TryReadOn(ref step, out collection, out id, out number))
            {
                Enter(collection, id, number);
                continue;
            }
            _depth--;
            uint least = _least[step.Number];
            if (step.IsFirst) cyclic += Close(step, least);
            else _open[_opened++] = step.Number;
            if (_depth > 0) Note(ref _path[_depth - 1], least);
        }
        return cyclic;
    }

    private void Enter(int collection, uint id, uint number)
    {
        _cancellation.ThrowIfCancellationRequested();
        // SAFETY: as in Visit.
        _least[number] = ++_steps;
        _path[_depth++] = new Step { Collection = collection, Id = id, Number = number, IsFirst = true };
    }

    /// <summary>Reads on in the references of a row.</summary>
    /// <returns>True if one leads to an orphan that was not entered yet; false if there is no other.</returns>
    private readonly bool TryReadOn(ref Step step, out int collection, out uint id, out uint number)
    {
        (collection, id, number) = (0, 0, 0);
        using CriticalSection section = CriticalSection.Enter();
        if (_orphans.HandleOf(step.Collection, step.Id, out MemoryContext context) is not (not 0 and ulong handle) || !Handle.TryLocate(handle, out RowLocation location)) return false;
        while (step.Column < context.References.Length)
        {
            ulong target = context.References[step.Column++].TargetAt(location.Block, location.Slot);
            if (target == 0 || ReferenceBarrier.CandidateOf(target, out id) is not { } part || _orphans.NumberOf(part.Number, id) is not (>= 0 and long found)) continue;
            (collection, number) = (part.Number, (uint)found);
            if (number == step.Number) step.IsItsOwn = true;
            // SAFETY: the number of an orphan.
            else if (_least[number] == Fresh) return true;
            else Note(ref step, _least[number]);
        }
        return false;
    }

    /// <summary>A row leads to one that leads to a row of an earlier step, or of a closed component, which is later than all.</summary>
    private readonly void Note(ref Step step, uint least)
    {
        // SAFETY: the number of an orphan.
        if (least >= _least[step.Number]) return;
        _least[step.Number] = least;
        step.IsFirst = false;
    }

    /// <summary>Closes the component that was entered with a row.</summary>
    /// <returns>Its rows, if they are on a cycle.</returns>
    private long Close(in Step first, uint least)
    {
        long rows = 1;
        // SAFETY: below the number of open rows.
        for (; _opened > 0 && _least[_open[_opened - 1]] >= least; rows++) _least[_open[--_opened]] = Closed;
        _least[first.Number] = Closed;
        return rows > 1 || first.IsItsOwn ? rows : 0;
    }

    /// <summary>A row on the path, and how far its references were read.</summary>
    private struct Step
    {
        public uint Id;
        public uint Number;
        public int Collection;
        public ushort Column;
        public bool IsFirst;
        public bool IsItsOwn;
    }
}
