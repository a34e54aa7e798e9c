using Smc.Memory.Platform;

namespace Smc.Memory.Tests;

/// <summary>Takes the system's place when it has no memory: refuses one request, or all from one on, and keeps account of what is mapped.</summary>
internal sealed class RefusingProbe : MappingProbe, IDisposable
{
    private readonly Dictionary<ulong, long> _mapped = [];
    private readonly int _refused;
    private readonly bool _lasting;
    private int _requests;

    /// <param name="refused">Number of the request that is refused, from 0 on.</param>
    /// <param name="lasting">True to refuse all that follow, too, until <see cref="Recover"/>.</param>
    public RefusingProbe(int refused, bool lasting)
    {
        _refused = refused;
        _lasting = lasting;
        VirtualMemory.Probe = this;
    }

    public bool HasRefused { get; private set; }

    public bool HasRecovered { get; private set; }

    /// <summary>Mappings made and not given back since the probe is there.</summary>
    public int Mappings => _mapped.Count;

    public void Recover() => HasRecovered = true;

    public override bool Refuses(long bytes)
    {
        int request = _requests++;
        bool refuses = !HasRecovered && (_lasting ? request >= _refused : request == _refused);
        HasRefused |= refuses;
        return refuses;
    }

    public override void Mapped(ulong address, long bytes) => _mapped.Add(address, bytes);

    // What was mapped before the probe came is none of its business.
    public override bool Keeps(ulong address, long bytes)
    {
        if (_mapped.Remove(address, out long mapped)) Assert.Equal(mapped, bytes);
        return false;
    }

    public void Dispose() => VirtualMemory.Probe = null;
}
