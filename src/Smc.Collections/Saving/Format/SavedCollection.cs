namespace Smc.Collections.Saving;

/// <summary>A collection as the schema of a file has it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="RowType">The name of its row type.</param>
/// <param name="Rows">Its rows.</param>
/// <param name="Columns">Its properties, in the order of their numbers.</param>
/// <param name="Indexes">Its indexes.</param>
internal sealed record SavedCollection(string Name, string RowType, long Rows, IReadOnlyList<SavedColumn> Columns, IReadOnlyList<SavedIndex> Indexes);

/// <summary>The definition of an index.</summary>
/// <param name="Name">The name in messages.</param>
/// <param name="IsUnique">Whether no two rows have the key.</param>
/// <param name="IsDeclared">Whether the row type declares it: then the type of today decides.</param>
/// <param name="Columns">The key columns in order.</param>
internal sealed record SavedIndex(string Name, bool IsUnique, bool IsDeclared, IReadOnlyList<string> Columns);
