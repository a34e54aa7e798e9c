using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Writes the value that each column has before an initialiser runs: its default, else 0, null or the empty string.</summary>
/// <param name="row">The reserved row.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate void RowInitializer(NewRow row);
