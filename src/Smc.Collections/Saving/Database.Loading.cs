using Smc.Collections.Saving;

namespace Smc.Collections;

/// <content>Loading.</content>
public sealed partial class Database
{
    /// <summary>Loads the collections that a file holds.</summary>
    /// <remarks>
    /// Properties are matched by name, or by the name in <see cref="SavedAsAttribute"/>. A property that the file does not have gets its default or null. A property that only the file has
    /// is left out and listed in <see cref="Skipped"/>. Values are converted if the type of the property became wider, nullable, or has more digits. Indexes are built anew: those that the
    /// row types declare today, and those that existed when the file was saved. O(rows).
    /// </remarks>
    /// <param name="path">The file.</param>
    /// <param name="types">The row types to load, <c>RowType.Of&lt;Line>()</c>. Row types that they refer to are loaded with them.</param>
    /// <exception cref="ArgumentException">There are no row types.</exception>
    /// <exception cref="InvalidDataException">The file is damaged, was saved by a later version, or is another file. No collection is left.</exception>
    /// <exception cref="InvalidOperationException">The file's values do not fit a property, or the file does not have a property without a default. No row has been read.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    /// <exception cref="OutOfMemoryException">The manager's limit or the system's memory is used up.</exception>
    public static Database Load(string path, params ReadOnlySpan<RowType> types) => Load(path, LoadOptions.Default, types);

    /// <inheritdoc cref="Load(string, ReadOnlySpan{RowType})" path="/summary|/remarks|/exception"/>
    /// <param name="path">The file.</param>
    /// <param name="options">How.</param>
    /// <param name="types">The row types to load. Row types that they refer to are loaded with them.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static Database Load(string path, LoadOptions options, params ReadOnlySpan<RowType> types)
    {
        RowType[] copied = Checked(options, types);
        ArgumentException.ThrowIfNullOrEmpty(path);
        return LoadFrom(path, options, copied);
    }

    /// <summary>As <see cref="Load(string, ReadOnlySpan{RowType})"/>, from a stream, which stays open, behind the last byte that was saved to it.</summary>
    /// <remarks>If the stream cannot seek, memory is reserved for the number of rows that its header claims before that number can be verified.</remarks>
    /// <inheritdoc cref="Load(string, ReadOnlySpan{RowType})" path="/exception"/>
    /// <param name="stream">The stream.</param>
    /// <param name="types">The row types to load. Row types that they refer to are loaded with them.</param>
    public static Database Load(Stream stream, params ReadOnlySpan<RowType> types) => Load(stream, LoadOptions.Default, types);

    /// <inheritdoc cref="Load(Stream, ReadOnlySpan{RowType})" path="/summary|/remarks|/exception"/>
    /// <param name="stream">The stream.</param>
    /// <param name="options">How.</param>
    /// <param name="types">The row types to load. Row types that they refer to are loaded with them.</param>
    public static Database Load(Stream stream, LoadOptions options, params ReadOnlySpan<RowType> types)
    {
        RowType[] copied = Checked(options, types);
        ArgumentNullException.ThrowIfNull(stream);
        return LoadFrom(stream, bytes => stream.Read(bytes.Span), options, copied);
    }

    /// <summary>As <see cref="Load(string, ReadOnlySpan{RowType})"/>, on a thread of the pool.</summary>
    /// <inheritdoc cref="Load(string, ReadOnlySpan{RowType})" path="/remarks|/param|/exception"/>
    public static Task<Database> LoadAsync(string path, params ReadOnlySpan<RowType> types) => LoadAsync(path, LoadOptions.Default, types);

    /// <summary>As <see cref="Load(string, LoadOptions, ReadOnlySpan{RowType})"/>, on a thread of the pool.</summary>
    /// <inheritdoc cref="Load(string, LoadOptions, ReadOnlySpan{RowType})" path="/param|/exception"/>
    public static Task<Database> LoadAsync(string path, LoadOptions options, params ReadOnlySpan<RowType> types)
    {
        RowType[] copied = Checked(options, types);
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Task.Run(() => LoadFrom(path, options, copied), options.CancellationToken);
    }

    /// <summary>As <see cref="Load(Stream, ReadOnlySpan{RowType})"/>, on a thread of the pool; the stream is read with its asynchronous methods only.</summary>
    /// <inheritdoc cref="Load(Stream, ReadOnlySpan{RowType})" path="/remarks|/param|/exception"/>
    public static Task<Database> LoadAsync(Stream stream, params ReadOnlySpan<RowType> types) => LoadAsync(stream, LoadOptions.Default, types);

    /// <inheritdoc cref="LoadAsync(Stream, ReadOnlySpan{RowType})" path="/summary|/remarks|/exception"/>
    /// <param name="stream">The stream.</param>
    /// <param name="options">How.</param>
    /// <param name="types">The row types to load. Row types that they refer to are loaded with them.</param>
    public static Task<Database> LoadAsync(Stream stream, LoadOptions options, params ReadOnlySpan<RowType> types)
    {
        RowType[] copied = Checked(options, types);
        ArgumentNullException.ThrowIfNull(stream);
        return Task.Run(
            () => LoadFrom(stream, bytes => stream.ReadAsync(bytes, options.CancellationToken).AsTask().GetAwaiter().GetResult(), options, copied), options.CancellationToken);
    }

    private static RowType[] Checked(LoadOptions options, ReadOnlySpan<RowType> types)
    {
        ArgumentNullException.ThrowIfNull(options);
        LoadOptions.Validate(options);
        return types.IsEmpty ? throw new ArgumentException("Name the row types that are to be loaded: RowType.Of<Line>().", nameof(types)) : types.ToArray();
    }

    private static Database LoadFrom(string path, LoadOptions options, RowType[] types)
    {
        using FileStream file = new(path, new FileStreamOptions { Mode = FileMode.Open, Access = FileAccess.Read, Share = FileShare.Read | FileShare.Delete, BufferSize = 0, Options = FileOptions.SequentialScan });
        FileFooter end = ReadTail(file, path);
        return new DatabaseReader(new FileSource(bytes => file.Read(bytes.Span), file.Length), path, end, types, options).Read();
    }

    // First of all, because a file that has been cut off is the usual damage.
    private static FileFooter ReadTail(FileStream file, string path)
    {
        byte[] bytes = new byte[FileFooter.TailBytes];
        long offset = file.Length - bytes.Length;
        try
        {
            // What another program wrote is told by its beginning.
            file.ReadExactly(bytes.AsSpan(0, (int)Math.Min(file.Length, bytes.Length)));
            if (offset < 0)
                throw new FormatException("It is too short for a file of saved collections.");
            FileHeader.Read(bytes);
            file.Position = offset;
            file.ReadExactly(bytes);
            FileFooter end = FileFooter.ReadTail(bytes);
            if (end.Offset < 0 || end.Offset > offset || end.Rows < 0)
                throw new FormatException("The end of the file does not fit its length.");
            file.Position = 0;
            return end;
        }
        catch (FormatException error)
        {
            throw new InvalidDataException($"'{path}' cannot be loaded (byte {file.Position}): {error.Message}", error);
        }
    }

    private static Database LoadFrom(Stream stream, Func<Memory<byte>, int> read, LoadOptions options, RowType[] types) =>
        new DatabaseReader(new FileSource(read, stream.CanSeek ? stream.Length - stream.Position : null), stream is FileStream file ? file.Name : "stream", announced: null, types, options).Read();
}
