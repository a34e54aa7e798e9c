namespace Smc.Memory.Reachability;

/// <summary>What a thread that stores a reference has to do. docs/models/reachability.pml.</summary>
internal enum ScanPhase
{
    /// <summary>Nothing.</summary>
    Idle,

    /// <summary>Mark the row that the reference leads to.</summary>
    Scanning,

    /// <summary>Take the decision back, and mark.</summary>
    Deciding,

    /// <summary>Store null: a row without a mark counts as removed.</summary>
    Condemned,
}
