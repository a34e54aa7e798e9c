namespace Smc.Collections;

/// <summary>
/// Every collection of the type has an ordered index on a property from its creation; on the struct, with the names of several, on these. Rows may have equal values.
/// </summary>
/// <remarks>
/// <code>
/// [Tabular, Index(nameof(Customer), nameof(Date))]
/// public readonly partial struct Order { [Index] public partial DateOnly Date { get; set; } … }
///
/// orders.GetIndex(o => o.Date).Range(monday, sunday)
/// </code>
/// Rows with null are not in the index. See <see cref="UniqueAttribute"/> for keys that no two rows have.
/// </remarks>
/// <param name="properties">On a struct: the stored properties, one to seven.</param>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Struct, AllowMultiple = true, Inherited = false)]
public sealed class IndexAttribute(params string[] properties) : Attribute
{
    /// <summary>The properties, if the attribute stands on a struct.</summary>
    public IReadOnlyList<string> Properties { get; } = properties;
}
