using System.Diagnostics.CodeAnalysis;

namespace Smc.Collections.Indexes;

/// <summary>What an index is on.</summary>
/// <param name="name">The name in messages.</param>
/// <param name="parts">The key columns.</param>
/// <param name="keyType">The type of the property, or the value tuple of several; null for an index that was loaded, whose type nobody has said.</param>
/// <param name="isDeclared">Whether the row type declares the index, which then lives as long as the collection.</param>
internal sealed class IndexDescription(
    string name, KeyPart[] parts, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type? keyType, bool isDeclared)
{
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)]
    private readonly Type? _keyType = keyType;

    public string Name => name;

    public KeyPart[] Parts => parts;

    public bool IsDeclared => isDeclared;

    /// <summary>The value tuple of several values.</summary>
    public object? MakeTuple(object?[] values) => _keyType is null ? $"({string.Join(", ", values)})" : Activator.CreateInstance(_keyType, values);

    /// <summary>The name of an index that was given none.</summary>
    public static string NameOf(string collection, KeyPart[] parts) => $"{collection}.{string.Join("+", parts.Select(part => part.Name))}";
}
