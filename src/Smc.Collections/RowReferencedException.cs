namespace Smc.Collections;

/// <summary>The exception that is thrown when a row is not removed because another one refers to it in a property with <see cref="RemoveBehavior.Restrict"/>. Nothing has changed.</summary>
public sealed class RowReferencedException : InvalidOperationException
{
    /// <summary>Creates the exception with a general message.</summary>
    public RowReferencedException()
        : base("Another row refers to this one, so it cannot be removed.")
    {
    }

    /// <summary>Creates the exception with a message.</summary>
    public RowReferencedException(string? message)
        : base(message)
    {
    }

    /// <summary>Creates the exception with a message and its cause.</summary>
    public RowReferencedException(string? message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Creates the exception for a row that refers.</summary>
    /// <param name="collection">The name of its collection.</param>
    /// <param name="property">The name of the property.</param>
    /// <param name="referrer">The row that refers.</param>
    public RowReferencedException(string collection, string property, object referrer)
        : base($"A row of collection '{collection}' refers to the row that is to be removed, in '{property}', which restricts that. Remove the referring row first, or give it another reference.")
    {
        Collection = collection;
        Property = property;
        Referrer = referrer;
    }

    /// <summary>The name of the collection of the row that refers, if known.</summary>
    public string? Collection { get; }

    /// <summary>The name of the property that refers, if known.</summary>
    public string? Property { get; }

    /// <summary>The row that refers: a handle of its tabular type. It may have been removed, or changed, since.</summary>
    public object? Referrer { get; }
}
