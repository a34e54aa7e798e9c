namespace Smc.Memory.Epochs;

/// <summary>Whoever moves the epoch on frees everything that is due by then, as in the paper's section 3.4.</summary>
internal sealed class BatchReclamation : ReclamationPolicy
{
    private readonly ReclamationLane _lane = new();

    public override int Count => _lane.Count;

    public override void Add(RetiredParts item) => _lane.Add(item);

    public override void EpochMoved() => Drain(waits: false);

    public override void OperationDone()
    {
    }

    public override void Drain(bool waits) => _lane.Free(int.MaxValue, waits);
}
