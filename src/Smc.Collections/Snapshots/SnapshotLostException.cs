using Smc.Memory;

namespace Smc.Collections;

/// <summary>The exception that is thrown when a snapshot is read that was given up because writers needed its memory.</summary>
public sealed class SnapshotLostException : InvalidOperationException
{
    /// <summary>Creates the exception with a general message.</summary>
    public SnapshotLostException()
        : this("The snapshot was given up because writers needed its memory. Take another one, keep it open for less time, or allow it more (SnapshotOptions.MaxBytes).")
    {
    }

    /// <summary>Creates the exception with a message.</summary>
    public SnapshotLostException(string? message)
        : base(message)
    {
    }

    /// <summary>Creates the exception with a message and its cause.</summary>
    public SnapshotLostException(string? message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Throws if a snapshot was given up.</summary>
    internal static void ThrowIfLost(MemorySnapshot snapshot)
    {
        if (snapshot.IsLost)
            throw new SnapshotLostException(snapshot.Bytes);
    }

    private SnapshotLostException(long bytes)
        : this(bytes > 0
            ? $"The snapshot kept {bytes:N0} bytes and was given up because writers needed memory. Take another one, keep it open for less time, or allow it more (SnapshotOptions.MaxBytes)."
            : "The snapshot was given up when a writer came to the first of its blocks: there was no room to keep one. Allow the snapshot more (SnapshotOptions.MaxBytes), or the manager (MemoryManagerOptions.Limit).")
    {
    }
}
