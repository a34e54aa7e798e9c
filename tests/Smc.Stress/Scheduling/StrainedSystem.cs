using Smc.Memory.Indirection;
using Smc.Memory.Platform;

namespace Smc.Stress.Scheduling;

/// <summary>Takes the system's place where it keeps pages that are given back, as Windows does, or has few addresses left for entries.</summary>
internal sealed class StrainedSystem : MappingProbe, IDisposable
{
    private readonly long _range;
    private int _discards;
    private int _ranges;

    /// <param name="range">Size of a range of entries; no other mapping has it.</param>
    public StrainedSystem(long range)
    {
        _range = range;
        VirtualMemory.Probe = this;
    }

    /// <summary>Of so many requests to give pages back the system grants all but one; none of them at 1.</summary>
    public int KeepsOneIn { get; init; } = int.MaxValue;

    /// <summary>So many ranges can be reserved, without room behind them.</summary>
    public int? Ranges { get; init; }

    public override bool Refuses(long bytes) =>
        Ranges is { } most && (bytes == _range + EntryRange.LeastRoom || (bytes == _range && Interlocked.Increment(ref _ranges) > most));

    public override bool RefusesToDiscard(ulong address, long bytes) => Interlocked.Increment(ref _discards) % KeepsOneIn == 0;

    public override void Mapped(ulong address, long bytes)
    {
    }

    public override bool Keeps(ulong address, long bytes) => false;

    public void Dispose() => VirtualMemory.Probe = null;
}
