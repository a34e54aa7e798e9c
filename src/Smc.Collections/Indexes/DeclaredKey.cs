using System.Diagnostics.CodeAnalysis;

namespace Smc.Collections.Indexes;

/// <summary>A key that a row type declares.</summary>
/// <param name="parts">The key columns.</param>
/// <param name="keyType">The type of the property, or the value tuple of several.</param>
/// <param name="isUnique">Whether no two rows have it.</param>
internal sealed class DeclaredKey(KeyPart[] parts, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type keyType, bool isUnique)
{
    public KeyPart[] Parts => parts;

    public bool IsUnique => isUnique;

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)]
    public Type KeyType { get; } = keyType;
}
