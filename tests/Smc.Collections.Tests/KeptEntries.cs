using Smc.Memory;
using Smc.Memory.Platform;

namespace Smc.Collections.Tests;

/// <summary>Takes the system's place where it keeps the pages of some collections' entries, as Windows does: later collections have the same entries.</summary>
internal sealed class KeptEntries : MappingProbe, IDisposable
{
    private const ulong EntryBytes = 16;

    private readonly HashSet<ulong> _addresses = [];

    public KeptEntries() => VirtualMemory.Probe = this;

    /// <summary>Keeps the pages of a collection's entries.</summary>
    public void Keep(MemoryContext context) => _addresses.Add(context.Entries.First.Number * EntryBytes);

    public override bool Refuses(long bytes) => false;

    public override bool RefusesToDiscard(ulong address, long bytes) => _addresses.Contains(address);

    public override void Mapped(ulong address, long bytes)
    {
    }

    public override bool Keeps(ulong address, long bytes) => false;

    public void Dispose() => VirtualMemory.Probe = null;
}
