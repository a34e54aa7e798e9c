namespace Smc.Collections;

/// <summary>What was saved.</summary>
/// <param name="Rows">The rows of all collections.</param>
/// <param name="Bytes">The bytes of the file.</param>
/// <param name="Dangling">References to rows that had been removed or retired; they were saved as null.</param>
/// <param name="Dropped">References to rows of collections that were not saved, in properties that were; they were saved as null (<see cref="UnsavedReferenceAction.Drop"/>).</param>
public readonly record struct SaveResult(long Rows, long Bytes, long Dangling, long Dropped);
