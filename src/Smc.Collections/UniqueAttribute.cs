namespace Smc.Collections;

/// <summary>
/// Marks values that no two rows share. Every collection of the type has a unique index on them. Place it on a property, or on the struct with the names of several properties.
/// </summary>
/// <remarks>Rows with null are not in the index; any number of rows may have null. <see cref="Collection{T}.GetUniqueIndex{TKey}"/> finds rows by it. See <see cref="KeyAttribute"/> for the one that is the row's key.</remarks>
/// <param name="properties">On a struct: the stored properties, one to seven.</param>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Struct, AllowMultiple = true, Inherited = false)]
public sealed class UniqueAttribute(params string[] properties) : Attribute
{
    /// <summary>The properties, if the attribute stands on a struct.</summary>
    public IReadOnlyList<string> Properties { get; } = properties;
}
