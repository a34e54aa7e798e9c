using System.Diagnostics.CodeAnalysis;
using Apache.Arrow;
using Apache.Arrow.Ipc;
using Smc.Collections;
using Smc.Data;
using Smc.Data.Batches;

namespace Smc.Arrow;

/// <summary>Collections and results as Arrow record batches and streams, and back.</summary>
/// <remarks>
/// Columns are those of <see cref="CollectionDataExtensions.AsDataReader{T}(Collection{T})"/>. Integers, floats and <c>bool</c> keep their types; enums are their integers. A decimal with <c>[Precision(p, s)]</c> is
/// <c>decimal128(p, s)</c>, another one <c>decimal128(38, 10)</c> and has to fit that exactly. <c>DateOnly</c> is <c>date32</c>; times are in microseconds, so the last digit of 100 nanoseconds is cut off;
/// <c>DateTime</c> has no zone, <c>DateTimeOffset</c> is in UTC. <c>Guid</c> is fixed binary of 16 bytes in the order of its text. A <c>char</c> is a text.
/// Streams have checksums in the custom metadata of their messages. They are compared when a stream is read that has them; streams of other programs do not.
/// </remarks>
public static class ArrowExtensions
{
    private const int BatchRows = 64 * 1024;
    private const DynamicallyAccessedMemberTypes Members = DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.PublicFields;

    /// <summary>Copies the rows of a collection to record batches, one after the other as they are enumerated. There is at least one, which may be empty. Rows that stay are in them once; rows that are added or removed meanwhile may be or not.</summary>
    /// <exception cref="NotSupportedException">A column has a type that has no form in Arrow.</exception>
    public static IEnumerable<RecordBatch> ToRecordBatches<T>(this Collection<T> collection)
        where T : unmanaged => Batches(RowBatches.Of(collection, BatchRows));

    /// <summary>Copies the elements of a sequence to record batches, one after the other as they are enumerated. There is at least one, which may be empty.</summary>
    /// <inheritdoc cref="ToRecordBatches{T}(Collection{T})" path="/exception"/>
    public static IEnumerable<RecordBatch> ToRecordBatches<[DynamicallyAccessedMembers(Members)] T>(this IEnumerable<T> rows) => Batches(RowBatches.Of(rows, BatchRows));

    /// <summary>Writes the rows of a collection as an Arrow stream (IPC). The stream stays open. Rows that stay are in it once; rows that are added or removed meanwhile may be or not.</summary>
    /// <inheritdoc cref="ToRecordBatches{T}(Collection{T})" path="/exception"/>
    public static void WriteArrow<T>(this Collection<T> collection, Stream stream)
        where T : unmanaged => Write(RowBatches.Of(collection, BatchRows), stream);

    /// <summary>Writes the elements of a sequence as an Arrow stream (IPC). The stream stays open.</summary>
    /// <inheritdoc cref="ToRecordBatches{T}(Collection{T})" path="/exception"/>
    public static void WriteArrow<[DynamicallyAccessedMembers(Members)] T>(this IEnumerable<T> rows, Stream stream) => Write(RowBatches.Of(rows, BatchRows), stream);

    /// <summary>Reads an Arrow stream (IPC): for <see cref="CollectionDataExtensions.AddRange{T}"/>. The stream stays open. Columns of types that no property takes are left out.</summary>
    /// <exception cref="DataLoadException">The stream is not Arrow; also later, from <c>Read</c>, with the row at which it is damaged.</exception>
    public static BatchDataReader OpenArrow(this Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return new BatchDataReader(ArrowBatches.Of(new ArrowStreamReader(new SealedMessageStream(stream), leaveOpen: true)));
    }

    /// <summary>Reads record batches: for <see cref="CollectionDataExtensions.AddRange{T}"/>. Columns of types that no property takes are left out. The batches stay the caller's.</summary>
    /// <param name="batches">Batches of one schema, taken one after the other. A batch is read before the next one is asked for, so it may be disposed then.</param>
    /// <exception cref="ArgumentException">There is no batch, and so nothing that says which columns there are.</exception>
    /// <exception cref="DataLoadException">From <c>Read</c>: a batch has other columns than the first, or a value cannot be read.</exception>
    public static BatchDataReader OpenArrow(this IEnumerable<RecordBatch> batches)
    {
        ArgumentNullException.ThrowIfNull(batches);
        return new BatchDataReader(ArrowBatches.Of(batches));
    }

    private static IEnumerable<RecordBatch> Batches(BatchSource source)
    {
        using (source)
        {
            ArrowColumnWriter[] columns = ColumnsOf(source);
            Schema schema = SchemaOf(columns);
            int count = source.Read();
            do
                yield return BatchOf(schema, columns, count);
            while ((count = source.Read()) > 0);
        }
    }

    private static void Write(BatchSource source, Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        using (source)
        {
            ArrowColumnWriter[] columns = ColumnsOf(source);
            Schema schema = SchemaOf(columns);
            using SealedMessageWriter messages = new(stream);
            using ArrowStreamWriter writer = new(messages.Message, schema, leaveOpen: true);
            writer.WriteStart();
            for (int count = source.Read(); ; )
            {
                messages.Write(isLast: count == 0);
                if (count == 0)
                    break;
                using (RecordBatch batch = BatchOf(schema, columns, count))
                    writer.WriteRecordBatch(batch);
                // Before the batch is written, which says whether it is the last.
                count = source.Read();
            }

            writer.WriteEnd();
            messages.WriteEnd();
        }
    }

    private static ArrowColumnWriter[] ColumnsOf(BatchSource source) => [.. source.Rows.Columns.ToArray().Select(column => column.Accept(ArrowColumnWriterFactory.Instance))];

    private static Schema SchemaOf(ArrowColumnWriter[] columns) =>
        new(columns.Select(column => new Field(column.Traits.Name, column.Type, column.Traits.IsNullable)), metadata: null);

    private static RecordBatch BatchOf(Schema schema, ArrowColumnWriter[] columns, int count) =>
        new(schema, columns.Select(column => ArrowArrayFactory.BuildArray(column.Write(count))), count);
}
