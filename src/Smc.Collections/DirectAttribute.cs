namespace Smc.Collections;

/// <summary>
/// Stores the place of the row that a property refers to instead of its handle: queries that follow the reference save a cache miss for every
/// row that is not in the cache. The paper's section 6.
/// </summary>
/// <remarks>
/// It pays where queries follow references in no particular order to rows of large collections (measured: 26 to 7 ns for each at a million rows).
/// It costs where rows are moved or given back: all rows that refer to the collection are walked through then. A property that is read one
/// row at a time gains nothing.
/// A reference to a row that was removed reads as removed, as one without the attribute does, until the memory of the row is given back; then
/// it reads as null. Storing a reference to a row that was removed before stores null.
/// Queries cannot prepare conditions on the referenced rows before they scan, because blocks keep no minimum and maximum of such a property.
/// </remarks>
[AttributeUsage(AttributeTargets.Property, Inherited = false)]
public sealed class DirectAttribute : Attribute;
