namespace Smc.Collections;

/// <summary>The exception that is thrown when a row is used after it was removed from its collection, or after the collection was cleared or disposed.</summary>
public sealed class RowRemovedException : InvalidOperationException
{
    /// <summary>Creates the exception with a general message.</summary>
    public RowRemovedException()
        : base("The row has been removed from its collection.")
    {
    }

    /// <summary>Creates the exception with a message.</summary>
    public RowRemovedException(string? message)
        : base(message)
    {
    }

    /// <summary>Creates the exception with a message and its cause.</summary>
    public RowRemovedException(string? message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Creates the exception for a row.</summary>
    /// <param name="rowType">The simple name of the tabular type.</param>
    /// <param name="collection">The name of the collection, or null when it is gone.</param>
    public RowRemovedException(string rowType, string? collection)
        : base(collection is null
            ? $"This {rowType} belonged to a collection that has been disposed."
            : $"This {rowType} has been removed from collection '{collection}'. Test IsAlive, or use TryRead, where rows may be gone.")
    {
        RowType = rowType;
        Collection = collection;
    }

    private RowRemovedException(string message, string rowType, string collection)
        : base(message)
    {
        RowType = rowType;
        Collection = collection;
    }

    /// <summary>The simple name of the tabular type, if known.</summary>
    public string? RowType { get; }

    /// <summary>The name of the collection that the row was in, if it still exists.</summary>
    public string? Collection { get; }

    /// <summary>The exception for a row that is read through a snapshot which does not have it.</summary>
    internal static RowRemovedException NotThereAtMoment(string rowType, string collection) =>
        new($"This {rowType} was not in collection '{collection}' at the moment of the snapshot: it was added later, or had been removed.", rowType, collection);
}
