using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>What is known of a column, besides the type of its values.</summary>
/// <param name="Name">The name of the property.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record ColumnTraits(string Name)
{
    /// <summary>Whether a value may be null.</summary>
    public bool IsNullable { get; init; }

    /// <summary>Whether the values are rows of a tabular type.</summary>
    public bool IsReference { get; init; }

    /// <summary>Whether a row can be added without the value: it is nullable, a reference, or has a default.</summary>
    public bool IsOptional { get; init; }

    /// <summary>Whether the property is not public: JSON leaves it out.</summary>
    public bool IsInternal { get; init; }

    /// <summary>The name in files that were saved before the property was renamed (<see cref="SavedAsAttribute"/>), or null.</summary>
    public string? FormerName { get; init; }

    /// <summary>Decimal digits of a column with <c>[Precision]</c>, else 0.</summary>
    public int Precision { get; init; }

    /// <summary>Digits after the point of a column with <c>[Precision]</c>, else 0.</summary>
    public int Scale { get; init; }

    /// <summary>Whether values with more digits after the point are rounded.</summary>
    public bool Rounds { get; init; }
}
