namespace Smc.Collections;

/// <summary>
/// Marks a <c>readonly partial struct</c> as a type of row. Its partial properties are the columns; the generator implements them.
/// An instance is an 8-byte handle that refers to a row of a <see cref="Collection{T}"/>, and <c>default</c> is the null handle.
/// </summary>
[AttributeUsage(AttributeTargets.Struct, Inherited = false)]
public sealed class TabularAttribute : Attribute
{
    /// <summary>How rows lie in memory. Columnar unless set: queries read only the columns that they need.</summary>
    public TabularLayout Layout { get; set; }
}
