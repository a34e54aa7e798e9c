using System.Diagnostics.CodeAnalysis;

namespace Smc.Collections.Indexes;

/// <summary>A key that a row type declares to be unique.</summary>
/// <param name="parts">The key columns.</param>
/// <param name="keyType">The type of the property, or the value tuple of several.</param>
internal sealed class DeclaredKey(KeyPart[] parts, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type keyType)
{
    public KeyPart[] Parts => parts;

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)]
    public Type KeyType { get; } = keyType;
}
