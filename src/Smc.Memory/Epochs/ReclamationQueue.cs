namespace Smc.Memory.Epochs;

/// <summary>
/// What readers may still reach waits here until it is freed, by the policy of the process: in batches, or a few pieces with every operation
/// if the switch <c>Smc.AmortisedReclamation</c> is on (AppContext, read once).
/// </summary>
internal static class ReclamationQueue
{
    private static readonly bool s_isAmortised = AppContext.TryGetSwitch("Smc.AmortisedReclamation", out bool on) && on;
    private static readonly ReclamationPolicy s_policy = s_isAmortised ? new AmortisedReclamation() : new BatchReclamation();

    public static int Count => s_policy.Count;

    /// <summary>Retires in the current epoch. The item must be unreachable for readers that begin after this call.</summary>
    public static void Add(RetiredParts item)
    {
        // A full fence between making it unreachable and reading the epoch; partner: the advance.
        Interlocked.MemoryBarrier();
        Add(item, GlobalEpoch.Now);
    }

    /// <summary>Adds an item whose oldest part was retired at <paramref name="stamp"/>.</summary>
    public static void Add(RetiredParts item, long stamp)
    {
        item.Stamp = stamp;
        s_policy.Add(item);
    }

    /// <inheritdoc cref="ReclamationPolicy.EpochMoved"/>
    public static void EpochMoved() => s_policy.EpochMoved();

    /// <inheritdoc cref="ReclamationPolicy.OperationDone"/>
    public static void OperationDone()
    {
        if (s_isAmortised) s_policy.OperationDone();
    }

    /// <inheritdoc cref="ReclamationPolicy.Drain"/>
    public static void Drain(bool waits = false) => s_policy.Drain(waits);
}
