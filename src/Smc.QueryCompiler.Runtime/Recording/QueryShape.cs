namespace Smc.QueryCompiler.Recording;

/// <summary>
/// What a recorded query is but for the values that it captures: queries of equal shape have the same plan and share a kernel.
/// Holds no object of the user's.
/// </summary>
internal sealed class QueryShape : IEquatable<QueryShape>
{
    private readonly object?[] _parts;
    private readonly int _hash;

    public QueryShape(object?[] parts)
    {
        _parts = parts;
        HashCode hash = default;
        foreach (object? part in parts)
            hash.Add(part);
        _hash = hash.ToHashCode();
    }

    public bool Equals(QueryShape? other) => other is not null && _hash == other._hash && _parts.AsSpan().SequenceEqual(other._parts);

    public override bool Equals(object? obj) => Equals(obj as QueryShape);

    public override int GetHashCode() => _hash;
}
