namespace Smc.Collections;

/// <summary>The exception that is thrown when two rows would have the same key in a <see cref="UniqueIndex{T, TKey}"/>. The row was not added or changed, or the index was not created.</summary>
public sealed class DuplicateKeyException : InvalidOperationException
{
    /// <summary>Creates the exception with a general message.</summary>
    public DuplicateKeyException()
        : base("Another row has this key.")
    {
    }

    /// <summary>Creates the exception with a message.</summary>
    public DuplicateKeyException(string? message)
        : base(message)
    {
    }

    /// <summary>Creates the exception with a message and its cause.</summary>
    public DuplicateKeyException(string? message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Creates the exception for a key.</summary>
    /// <param name="indexName">The name of the index.</param>
    /// <param name="key">The key.</param>
    public DuplicateKeyException(string indexName, object? key)
        : base($"Unique index '{indexName}' has another row with the key {(key is string text ? $"\"{text}\"" : key)}.")
    {
        IndexName = indexName;
        Key = key;
    }

    /// <summary>The name of the index, if known.</summary>
    public string? IndexName { get; }

    /// <summary>The duplicate key; a value tuple if the index has several properties.</summary>
    public object? Key { get; }
}
