using Smc.Memory.Platform;

namespace Smc.Memory.Tests;

/// <summary>Takes the system's place when the process has locked its memory (mlockall): pages that are given back stay as they are.</summary>
internal sealed class KeepingProbe : MappingProbe, IDisposable
{
    public KeepingProbe() => VirtualMemory.Probe = this;

    /// <summary>How often pages were to be given back.</summary>
    public int Discards { get; private set; }

    public override bool Refuses(long bytes) => false;

    public override bool RefusesToDiscard(ulong address, long bytes)
    {
        Discards++;
        return true;
    }

    public override void Mapped(ulong address, long bytes)
    {
    }

    public override bool Keeps(ulong address, long bytes) => false;

    public void Dispose() => VirtualMemory.Probe = null;
}
