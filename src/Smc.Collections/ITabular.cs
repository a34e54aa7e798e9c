using System.ComponentModel;

namespace Smc.Collections;

/// <summary>What every tabular type implements, by generated code: how a collection finds the schema of its row type.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ITabular
{
    /// <summary>Columns and layout of the type.</summary>
    TabularSchema Schema { get; }

    /// <summary>A detached copy of the row, or null when the handle is null or the row is gone.</summary>
    object? CopyData();
}
