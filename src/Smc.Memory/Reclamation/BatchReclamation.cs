namespace Smc.Memory.Reclamation;

/// <summary>Whoever moves the epoch on frees everything that is due by then, as in section 3.4 of the EDBT 2017 paper on self-managed collections.</summary>
internal sealed class BatchReclamation : ReclamationPolicy
{
    private readonly ReclamationLane _lane = new();

    public override int Count => _lane.Count;

    public override bool ActsOnOperations => false;

    public override void Add(RetiredParts item) => _lane.Add(item);

    public override void EpochMoved() => _lane.Free(int.MaxValue, waits: false);

    public override void OperationDone()
    {
    }

    public override void Free(int pieces, bool waits) => _lane.Free(pieces, waits);
}
