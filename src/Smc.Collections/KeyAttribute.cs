namespace Smc.Collections;

/// <summary>
/// Marks the key of a row type. Every collection of the type has a unique index on it. Place it on a property, or on the struct with the names of several properties.
/// </summary>
/// <remarks>
/// <code>
/// [Tabular] public readonly partial struct Order { [Key] public partial long Number { get; set; } … }
/// [Tabular, Key(nameof(Order), nameof(Number))] public readonly partial struct Line { … }
///
/// orders.GetUniqueIndex(o => o.Number).TryFind(42, out Order order)
/// </code>
/// A type has at most one key, and no part of it is nullable. Use <see cref="UniqueAttribute"/> for others. This is not the attribute of the same name in System.ComponentModel.DataAnnotations.
/// </remarks>
/// <param name="properties">On a struct: the stored properties, one to seven.</param>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Struct, Inherited = false)]
public sealed class KeyAttribute(params string[] properties) : Attribute
{
    /// <summary>The properties, if the attribute stands on a struct.</summary>
    public IReadOnlyList<string> Properties { get; } = properties;
}
