namespace Smc.Collections;

/// <summary>A row type as a value. It tells <see cref="Database.Load(string, ReadOnlySpan{RowType})"/> which collections to create, without reflection.</summary>
public sealed class RowType : IEquatable<RowType>
{
    internal RowType(TabularSchema schema) => Schema = schema;

    /// <summary>The tabular struct.</summary>
    public Type Type => Schema.RowType;

    internal TabularSchema Schema { get; }

    /// <summary>The row type of a struct.</summary>
    /// <typeparam name="T">A struct with <see cref="TabularAttribute"/>.</typeparam>
    /// <exception cref="InvalidOperationException"><typeparamref name="T"/> is not a tabular type.</exception>
    public static RowType Of<T>()
        where T : unmanaged => new(TabularSchema.Of<T>());

    /// <inheritdoc/>
    public bool Equals(RowType? other) => other?.Type == Type;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as RowType);

    /// <inheritdoc/>
    public override int GetHashCode() => Type.GetHashCode();

    /// <inheritdoc/>
    public override string ToString() => Type.Name;
}
