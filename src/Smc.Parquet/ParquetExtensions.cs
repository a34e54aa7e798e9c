using System.Diagnostics.CodeAnalysis;
using Parquet;
using Parquet.Schema;
using Smc.Collections;
using Smc.Data;
using Smc.Data.Batches;

namespace Smc.Parquet;

/// <summary>Collections and results as Parquet files, and back.</summary>
/// <remarks>
/// Columns are those of <see cref="CollectionDataExtensions.AsDataReader{T}(Collection{T})"/>. Integers, <c>float</c>, <c>double</c> and <c>bool</c> keep their types; enums are their integers; <c>Half</c> is a float.
/// A decimal with <c>[Precision(p, s)]</c> is <c>DECIMAL(p, s)</c>, another one <c>DECIMAL(38, 10)</c> and has to fit that exactly. <c>DateOnly</c> is a date; times are in microseconds, so the last digit of
/// 100 nanoseconds is cut off; <c>DateTime</c> has no zone, <c>DateTimeOffset</c> is in UTC. <c>Guid</c> is a UUID. <c>char</c>, <c>TimeSpan</c>, <c>Int128</c> and <c>UInt128</c> are texts in their invariant form.
/// Pages are compressed with Snappy. A group of rows has 122,880, which are in memory at one time.
/// Files have a checksum of each group of rows and one of the footer in their metadata. They are compared when a file is read that has them; files of other programs do not.
/// </remarks>
public static class ParquetExtensions
{
    // As many as DuckDB writes by itself: enough for compression, few enough for several threads that read.
    private const int RowsInGroup = 122_880;
    private const DynamicallyAccessedMemberTypes Members = DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.PublicFields;

    /// <summary>Writes the rows of a collection as a Parquet file. The stream stays open. Rows that stay are in it once; rows that are added or removed meanwhile may be or not.</summary>
    /// <param name="collection">The collection.</param>
    /// <param name="stream">Takes the file. If writing throws, what is there is no Parquet file.</param>
    /// <exception cref="NotSupportedException">A column has a type that has no form in Parquet.</exception>
    /// <exception cref="OverflowException">A decimal does not fit <c>DECIMAL(38, 10)</c>.</exception>
    public static void WriteParquet<T>(this Collection<T> collection, Stream stream)
        where T : unmanaged => Blocking.Wait(() => collection.WriteParquetAsync(stream));

    /// <summary>Writes the elements of a sequence, such as the result of a query, as a Parquet file. The stream stays open.</summary>
    /// <param name="rows">The elements; their public properties are the columns.</param>
    /// <param name="stream">Takes the file. If writing throws, what is there is no Parquet file.</param>
    /// <inheritdoc cref="WriteParquet{T}(Collection{T}, Stream)" path="/exception"/>
    public static void WriteParquet<[DynamicallyAccessedMembers(Members)] T>(this IEnumerable<T> rows, Stream stream) => Blocking.Wait(() => rows.WriteParquetAsync(stream));

    /// <inheritdoc cref="WriteParquet{T}(Collection{T}, Stream)" path="/summary|/exception"/>
    /// <param name="collection">The collection.</param>
    /// <param name="stream">Takes the file. If writing throws, what is there is no Parquet file.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static Task WriteParquetAsync<T>(this Collection<T> collection, Stream stream, CancellationToken cancellationToken = default)
        where T : unmanaged => WriteAsync(RowBatches.Of(collection, RowsInGroup), stream, cancellationToken);

    /// <inheritdoc cref="WriteParquet{T}(IEnumerable{T}, Stream)" path="/summary|/exception"/>
    /// <param name="rows">The elements; their public properties are the columns.</param>
    /// <param name="stream">Takes the file. If writing throws, what is there is no Parquet file.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static Task WriteParquetAsync<[DynamicallyAccessedMembers(Members)] T>(this IEnumerable<T> rows, Stream stream, CancellationToken cancellationToken = default) =>
        WriteAsync(RowBatches.Of(rows, RowsInGroup), stream, cancellationToken);

    /// <summary>Reads a Parquet file: for <see cref="CollectionDataExtensions.AddRange{T}"/>. The stream stays open. Columns of types that no property takes (lists, maps, structs) are left out.</summary>
    /// <param name="stream">The file. It must be seekable: what is in a Parquet file is said at its end.</param>
    /// <exception cref="DataLoadException">The stream is not Parquet; also later, from <c>Read</c>, with the row and the column at which it is damaged.</exception>
    /// <exception cref="ArgumentException">The stream is not seekable.</exception>
    public static BatchDataReader OpenParquet(this Stream stream) => Blocking.Wait(() => stream.OpenParquetAsync());

    /// <inheritdoc cref="OpenParquet" path="/summary|/exception"/>
    /// <param name="stream">The file. It must be seekable: what is in a Parquet file is said at its end.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static async Task<BatchDataReader> OpenParquetAsync(this Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        if (!stream.CanSeek)
            throw new ArgumentException("A Parquet file is read from its end, so its stream has to be seekable. Copy it to a file or a MemoryStream first.", nameof(stream));
        return new BatchDataReader(await ParquetFileBatches.OpenAsync(stream, cancellationToken).ConfigureAwait(false));
    }

    private static async Task WriteAsync(BatchSource source, Stream stream, CancellationToken cancellationToken)
    {
        using (source)
        {
            ArgumentNullException.ThrowIfNull(stream);
            ParquetColumnWriter[] columns = [.. source.Rows.Columns.ToArray().Select(column => column.Accept(ParquetColumnWriterFactory.Instance))];
            ParquetSchema schema = new(columns.Select(column => column.Field));
            await using ChecksummedOutput output = new(stream);
            ParquetWriter writer = await ParquetWriter.CreateAsync(schema, output, cancellationToken: cancellationToken).ConfigureAwait(false);
            while (await source.ReadAsync(cancellationToken).ConfigureAwait(false) is > 0 and var count)
            {
                using (ParquetRowGroupWriter group = writer.CreateRowGroup())
                {
                    foreach (ParquetColumnWriter column in columns)
                        await column.WriteAsync(group, count, cancellationToken).ConfigureAwait(false);
                }

                output.EndGroup();
            }

            // Only here: it writes the end of the file, without which the file is refused by whoever reads it.
            writer.CustomMetadata = output.BeginFooter();
            await writer.DisposeAsync().ConfigureAwait(false);
            await output.EndFooterAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}
