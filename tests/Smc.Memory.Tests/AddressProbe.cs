using Smc.Memory.Indirection;
using Smc.Memory.Platform;

namespace Smc.Memory.Tests;

/// <summary>Takes the system's place when it has addresses for one range of entries of a size, and none for room behind it.</summary>
internal sealed class AddressProbe : MappingProbe, IDisposable
{
    private readonly long _range;
    private bool _isGiven;

    public AddressProbe(long range)
    {
        _range = range;
        VirtualMemory.Probe = this;
    }

    public override bool Refuses(long bytes)
    {
        if (bytes == _range + EntryRange.LeastRoom) return true;
        if (bytes != _range) return false;
        bool isGiven = _isGiven;
        _isGiven = true;
        return isGiven;
    }

    public override void Mapped(ulong address, long bytes)
    {
    }

    public override bool Keeps(ulong address, long bytes) => false;

    public void Dispose() => VirtualMemory.Probe = null;
}
