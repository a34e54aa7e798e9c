using System.ComponentModel;
using System.Diagnostics;

namespace Smc.Collections.Kernels;

/// <summary>What the debugger shows of a row: its values, or nothing when it is null or gone.</summary>
/// <param name="row">The row.</param>
/// <typeparam name="T">The tabular type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowDebugView<T>(T row)
    where T : struct, ITabular
{
    /// <summary>A detached copy of the row.</summary>
    [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
    public object? Values => row.CopyData();
}
