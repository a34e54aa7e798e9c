namespace Smc.Collections.Kernels;

/// <summary>What an index found for a key that a join looked up. The key's words follow it.</summary>
internal struct AskedKey
{
    /// <summary>The hash of the key.</summary>
    public ulong Hash;

    /// <summary>The row that had it, by a unique index; 0 for none.</summary>
    public ulong Handle;

    /// <summary>The rows that had it, by an ordered index.</summary>
    public RowsOfKey Rows;

    /// <summary>The number of the row in the kernel's list; 0 if it has no row that fulfils the conditions.</summary>
    public int Partner;

    /// <summary>Whether there is a key at this place.</summary>
    public bool IsTaken;
}
