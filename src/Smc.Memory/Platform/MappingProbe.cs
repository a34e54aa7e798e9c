namespace Smc.Memory.Platform;

/// <summary>Test seam in front of the operating system: sees every mapping come and go and may make the next one fail.</summary>
internal abstract class MappingProbe
{
    /// <summary>Asked before memory is mapped, reserved or committed; true makes it fail as if the system had refused.</summary>
    public abstract bool Refuses(long bytes);

    /// <summary>Asked before pages are given back to the system; true makes the system keep them with their contents.</summary>
    public virtual bool RefusesToDiscard(ulong address, long bytes) => false;

    /// <summary>Memory was mapped. Reservations, which stay for ever and hold no memory, are not told.</summary>
    public abstract void Mapped(ulong address, long bytes);

    /// <summary>Memory is about to be unmapped.</summary>
    /// <returns>True if the probe keeps it and unmaps it later.</returns>
    public abstract bool Keeps(ulong address, long bytes);
}
