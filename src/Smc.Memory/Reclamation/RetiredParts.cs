namespace Smc.Memory.Reclamation;

/// <summary>Things that readers may still reach, to be freed when two epochs have passed, at once or in parts.</summary>
internal abstract class RetiredParts
{
    /// <summary>Epoch in which the oldest of them became unreachable for new readers.</summary>
    public long Stamp { get; set; }

    /// <summary>
    /// Frees up to <paramref name="pieces"/> pieces and counts them down, with no lock of the library held but the lane's own. If what is
    /// left is younger, it sets the stamp and stops: the policy comes back when that is due.
    /// </summary>
    /// <returns>True when nothing is left. It is not called again then.</returns>
    public abstract bool ReleaseSome(ref int pieces);
}
