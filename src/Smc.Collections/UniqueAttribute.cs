namespace Smc.Collections;

/// <summary>
/// No two rows of a collection have the same value: every collection of the type has a unique index on it from its creation. On a property, or on the struct with the names of several.
/// </summary>
/// <remarks>Rows with null are not in the index; any number of rows may have null. <see cref="Collection{T}.GetUniqueIndex{TKey}"/> finds rows by it. See <see cref="KeyAttribute"/> for the one that is the row's key.</remarks>
/// <param name="properties">On a struct: the stored properties, one to seven.</param>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Struct, AllowMultiple = true, Inherited = false)]
public sealed class UniqueAttribute(params string[] properties) : Attribute
{
    /// <summary>The properties, if the attribute stands on a struct.</summary>
    public IReadOnlyList<string> Properties { get; } = properties;
}
