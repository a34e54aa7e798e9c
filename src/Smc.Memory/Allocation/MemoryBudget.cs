namespace Smc.Memory.Allocation;

/// <summary>Counts the bytes that a manager has mapped and holds them under its limit. Everything mapped is charged here first.</summary>
internal sealed class MemoryBudget(long? limit)
{
    private long _mapped;

    /// <summary>Bytes charged now.</summary>
    public long Mapped => Volatile.Read(ref _mapped);

    /// <summary>Whether half of the limit is left, so that memory may be mapped before somebody asks for it. Not under a test that counts charges.</summary>
    public bool IsAmple => Fault is null && (limit is not { } cap || Mapped <= cap / 2);

    /// <summary>Frees caches and returns true if that gave anything back. Called before a charge fails.</summary>
    public Func<bool>? Relieve { get; set; }

    /// <summary>Test hook: sees every charge and refuses it by returning true.</summary>
    public Func<long, bool>? Fault { get; set; }

    /// <summary>Charges bytes that are about to be mapped.</summary>
    /// <exception cref="OffHeapMemoryException">The limit does not leave them.</exception>
    public void Charge(long bytes, string purpose)
    {
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

    /// <summary>Charges bytes if the limit leaves them. Never goes above the limit, not even for a moment.</summary>
    public bool TryCharge(long bytes)
    {
        if (Fault is { } fault && fault(bytes)) return false;
        for (long mapped = Mapped; limit is not { } cap || mapped + bytes <= cap;)
        {
            long found = Interlocked.CompareExchange(ref _mapped, mapped + bytes, mapped);
            if (found == mapped) return true;
            mapped = found;
        }
        return false;
    }
}
