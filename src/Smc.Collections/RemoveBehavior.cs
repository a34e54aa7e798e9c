namespace Smc.Collections;

/// <summary>What becomes of a reference when the row that it names is removed (<see cref="OnRemoveAttribute"/>).</summary>
public enum RemoveBehavior
{
    /// <summary>The row is not removed: <see cref="RowReferencedException"/>. Nothing changes.</summary>
    Restrict,

    /// <summary>The reference becomes null.</summary>
    SetNull,

    /// <summary>The row that refers is removed, too, and with it what its own removal takes along.</summary>
    Cascade,
}
