using Smc.Collections.Saving;

namespace Smc.Collections;

/// <content>Saving.</content>
public sealed partial class Database
{
    /// <summary>Saves collections to a file, with the references between them. The file is replaced when the new one is complete and on the disk.</summary>
    /// <remarks>
    /// If the process is killed meanwhile, the path names the old file or the complete new one. The file holds one moment of all collections, which lies within this call. Other threads may
    /// read and write meanwhile, as under a <see cref="Snapshot"/>. O(rows).
    /// </remarks>
    /// <param name="path">The file.</param>
    /// <param name="collections">The collections, each a <see cref="Collection{T}"/>.</param>
    /// <exception cref="ArgumentException">There are no collections, or two of one row type have one name.</exception>
    /// <exception cref="InvalidOperationException">A reference leads to a collection that is not saved (<see cref="SaveOptions.OnUnsaved"/>), or the caller is inside an initialiser or a <see cref="WriteGroup"/>.</exception>
    /// <exception cref="ObjectDisposedException">A collection has been disposed.</exception>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="SnapshotLostException">Writers needed the memory that the snapshot kept; see <see cref="SnapshotOptions.MaxBytes"/>.</exception>
    /// <exception cref="TimeoutException">A write group did not end within five seconds; the message names the thread.</exception>
    public static SaveResult Save(string path, params ReadOnlySpan<IRowCollection> collections) => Save(path, SaveOptions.Default, collections);

    /// <inheritdoc cref="Save(string, ReadOnlySpan{IRowCollection})" path="/summary|/remarks|/exception"/>
    /// <param name="path">The file.</param>
    /// <param name="options">How.</param>
    /// <param name="collections">The collections, each a <see cref="Collection{T}"/>.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; the old file is there as before.</exception>
    public static SaveResult Save(string path, SaveOptions options, params ReadOnlySpan<IRowCollection> collections)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        ArgumentNullException.ThrowIfNull(options);
        return SaveTo(path, new DatabaseWriter(collections, options));
    }

    /// <summary>As <see cref="Save(string, ReadOnlySpan{IRowCollection})"/>, to the end of a stream, which stays open.</summary>
    /// <inheritdoc cref="Save(string, ReadOnlySpan{IRowCollection})" path="/exception"/>
    /// <param name="stream">The stream. If it throws, part of the collections has been written to it.</param>
    /// <param name="collections">The collections, each a <see cref="Collection{T}"/>.</param>
    public static SaveResult Save(Stream stream, params ReadOnlySpan<IRowCollection> collections) => Save(stream, SaveOptions.Default, collections);

    /// <inheritdoc cref="Save(Stream, ReadOnlySpan{IRowCollection})" path="/summary|/remarks|/exception"/>
    /// <param name="stream">The stream. If it throws, part of the collections has been written to it.</param>
    /// <param name="options">How.</param>
    /// <param name="collections">The collections, each a <see cref="Collection{T}"/>.</param>
    public static SaveResult Save(Stream stream, SaveOptions options, params ReadOnlySpan<IRowCollection> collections)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(options);
        return new DatabaseWriter(collections, options).Write(bytes => stream.Write(bytes.Span));
    }

    /// <summary>As <see cref="Save(string, ReadOnlySpan{IRowCollection})"/>, on a thread of the pool.</summary>
    /// <inheritdoc cref="Save(string, ReadOnlySpan{IRowCollection})" path="/remarks|/param|/exception"/>
    public static Task<SaveResult> SaveAsync(string path, params ReadOnlySpan<IRowCollection> collections) => SaveAsync(path, SaveOptions.Default, collections);

    /// <summary>As <see cref="Save(string, SaveOptions, ReadOnlySpan{IRowCollection})"/>, on a thread of the pool.</summary>
    /// <inheritdoc cref="Save(string, SaveOptions, ReadOnlySpan{IRowCollection})" path="/param|/exception"/>
    public static Task<SaveResult> SaveAsync(string path, SaveOptions options, params ReadOnlySpan<IRowCollection> collections)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        ArgumentNullException.ThrowIfNull(options);
        DatabaseWriter writer = new(collections, options);
        return Task.Run(() => SaveTo(path, writer), options.CancellationToken);
    }

    /// <summary>As <see cref="Save(Stream, ReadOnlySpan{IRowCollection})"/>, on a thread of the pool; the stream is written to with its asynchronous methods only.</summary>
    /// <inheritdoc cref="Save(Stream, ReadOnlySpan{IRowCollection})" path="/param|/exception"/>
    public static Task<SaveResult> SaveAsync(Stream stream, params ReadOnlySpan<IRowCollection> collections) => SaveAsync(stream, SaveOptions.Default, collections);

    /// <inheritdoc cref="SaveAsync(Stream, ReadOnlySpan{IRowCollection})" path="/summary|/remarks|/exception"/>
    /// <param name="stream">The stream. If it throws, part of the collections has been written to it.</param>
    /// <param name="options">How.</param>
    /// <param name="collections">The collections, each a <see cref="Collection{T}"/>.</param>
    public static Task<SaveResult> SaveAsync(Stream stream, SaveOptions options, params ReadOnlySpan<IRowCollection> collections)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(options);
        DatabaseWriter writer = new(collections, options);
        // The writer has threads of its own, and waits here for the stream.
        return Task.Run(
            () => writer.Write(bytes => stream.WriteAsync(bytes, options.CancellationToken).AsTask().GetAwaiter().GetResult()), options.CancellationToken);
    }

    private static SaveResult SaveTo(string path, DatabaseWriter writer)
    {
        using AtomicFile file = new(path);
        SaveResult result = writer.Write(bytes =>
        {
            file.Stream.Write(bytes.Span);
            SaveSteps.Reached?.Invoke(SaveStep.Written);
        });
        file.Commit();
        return result;
    }
}
