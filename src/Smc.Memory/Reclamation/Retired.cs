namespace Smc.Memory.Reclamation;

/// <summary>Something that readers may still reach, to be freed in one piece when two epochs have passed.</summary>
internal abstract class Retired : RetiredParts
{
    /// <summary>Frees it. Runs once, with no lock of the library held but the lane's own.</summary>
    public abstract void Release();

    /// <inheritdoc/>
    public sealed override bool ReleaseSome(ref int pieces)
    {
        Release();
        pieces--;
        return true;
    }
}
