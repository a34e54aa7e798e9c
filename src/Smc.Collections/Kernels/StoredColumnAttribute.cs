using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>Put by the generator on the implementation of a stored property, so that compilers of other assemblies can tell columns from computed properties.</summary>
/// <param name="ordinal">The position of the column in its type.</param>
[AttributeUsage(AttributeTargets.Property, Inherited = false)]
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class StoredColumnAttribute(int ordinal) : Attribute
{
    /// <summary>The position of the column in its type.</summary>
    public int Ordinal { get; } = ordinal;
}
