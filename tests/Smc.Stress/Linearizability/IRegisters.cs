namespace Smc.Stress.Linearizability;

/// <summary>Rows with one value each, used through their handles: what a history is recorded of.</summary>
internal interface IRegisters
{
    ulong Add(long value);

    bool TryRead(ulong handle, out long value);

    bool TryWrite(ulong handle, long value);

    bool TryRemove(ulong handle);

    bool IsAlive(ulong handle);
}
