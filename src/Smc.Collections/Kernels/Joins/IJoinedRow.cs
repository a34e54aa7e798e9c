using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>A row of a join's table that is found by one integer. Generated per join.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IJoinedRow
{
    /// <summary>The integer.</summary>
    ulong K0 { get; }

    /// <summary>The number of the next row in the chain; 0 if there is none.</summary>
    int Next { get; set; }
}
