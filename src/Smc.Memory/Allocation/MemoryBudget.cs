namespace Smc.Memory.Allocation;

/// <summary>Counts the bytes that a manager has mapped and holds them under its limit. Everything mapped is charged here first.</summary>
internal sealed class MemoryBudget(long? limit)
{
    private long _mapped;

    /// <summary>Bytes charged now.</summary>
    public long Mapped => Volatile.Read(ref _mapped);

    /// <summary>Frees caches and returns true if that gave anything back. Called before a charge fails.</summary>
    public Func<bool>? Relieve { get; set; }

    /// <summary>Test hook: sees every charge and refuses it by returning true.</summary>
    public Func<long, bool>? Fault { get; set; }

    /// <summary>Charges bytes that are about to be mapped.</summary>
    /// <exception cref="OffHeapMemoryException">The limit does not leave them.</exception>
    public void Charge(long bytes, string purpose)
    {
        if (Fault is { } fault && fault(bytes)) throw new OffHeapMemoryException($"No memory for {purpose}: refused by a test.");
        while (!TryCharge(bytes))
        {
            if (Relieve is { } relieve && relieve()) continue;
            throw new OffHeapMemoryException(
                $"The memory manager's limit of {limit:N0} bytes leaves no {bytes:N0} bytes for {purpose}; {Mapped:N0} are in use. " +
                "Raise MemoryManagerOptions.Limit, remove rows and call TrimExcess, or dispose collections.");
        }
    }

    /// <summary>Takes back a charge.</summary>
    public void Release(long bytes) => Interlocked.Add(ref _mapped, -bytes);

    /// <summary>For a mapping that the system refused: takes the charge back and says so.</summary>
    public OffHeapMemoryException Refused(long bytes, string purpose)
    {
        Release(bytes);
        return new OffHeapMemoryException($"The operating system has no {bytes:N0} bytes for {purpose}.");
    }

    private bool TryCharge(long bytes)
    {
        long mapped = Interlocked.Add(ref _mapped, bytes);
        if (limit is not { } cap || mapped <= cap) return true;
        Interlocked.Add(ref _mapped, -bytes);
        return false;
    }
}
