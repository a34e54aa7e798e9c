namespace Smc.Memory;

/// <summary>What an addition does while more garbage waits for readers than <see cref="GarbageBudget.HardMark"/>.</summary>
public enum HardMarkAction
{
    /// <summary>It throws <see cref="OffHeapMemoryException"/>, which names the oldest reader.</summary>
    Throw,

    /// <summary>
    /// It waits before it enters its critical section, and throws when <see cref="GarbageBudget.HardMarkTimeout"/> has passed. An addition
    /// inside a section of the caller cannot wait, because that section is itself among those that are waited for: it goes on until the
    /// time has passed and throws then.
    /// </summary>
    Wait,
}
