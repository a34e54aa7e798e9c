namespace Smc.Memory.Epochs;

/// <summary>Something that readers may still reach, to be freed when two epochs have passed.</summary>
internal abstract class Retired
{
    /// <summary>Epoch in which it became unreachable for new readers.</summary>
    public long Stamp { get; set; }

    /// <summary>Frees it. Runs once, with no lock of the library held but the policy's own.</summary>
    public abstract void Release();

    /// <summary>Frees up to <paramref name="pieces"/> pieces of it and counts them down, for those who free a little at a time.</summary>
    /// <returns>True when nothing is left of it. It is not called again then.</returns>
    public virtual bool ReleaseSome(ref int pieces)
    {
        Release();
        pieces--;
        return true;
    }
}
