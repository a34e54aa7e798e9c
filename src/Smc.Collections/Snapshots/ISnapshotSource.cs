namespace Smc.Collections;

/// <summary>What a <see cref="Snapshot"/> can be taken of: a <see cref="Collection{T}"/>.</summary>
public interface ISnapshotSource
{
    /// <summary>The name in exception messages and metrics.</summary>
    string Name { get; }
}
