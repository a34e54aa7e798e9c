namespace Smc.Memory.Indirection;

/// <summary>Packed pages that are mapped together, and given back when all of them are restored.</summary>
internal sealed class PackedBatch(ulong address, long bytes)
{
    public ulong Address => address;

    public long Bytes => bytes;

    public int Used { get; set; }

    public int Pages { get; set; }
}
