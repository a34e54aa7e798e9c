using Parquet;
using Parquet.Meta;
using Parquet.Schema;
using Smc.Collections.Kernels;
using Smc.Data;
using Smc.Data.Batches;

namespace Smc.Parquet;

/// <summary>The groups of rows of a file, in parts. Whatever a damaged file makes the library throw is a <see cref="DataLoadException"/> here.</summary>
internal sealed class ParquetFileBatches : BatchSource
{
    private const int PartRows = 1024;

    private readonly ParquetReader _reader;
    private readonly BoundedStream _stream;
    private readonly GroupChecksums? _checksums;
    private readonly ParquetColumnReader[] _columns;
    private int _groups;
    private int _rowsInGroup;
    private int _next;
    private long _rows;

    private ParquetFileBatches(ParquetReader reader, BoundedStream stream, GroupChecksums? checksums)
    {
        _reader = reader;
        _stream = stream;
        _checksums = checksums;
        _columns = [.. reader.Schema.Fields.Select(field => ParquetColumnReaderFactory.Create(field, PartRows)).OfType<ParquetColumnReader>()];
        Rows = new RowBuffer([.. _columns.Select(column => column.Buffer)]);
    }

    public override RowBuffer Rows { get; }

    /// <summary>Reads what the file says of itself.</summary>
    public static async Task<ParquetFileBatches> OpenAsync(Stream stream, CancellationToken cancellationToken)
    {
        ParquetReader? reader = null;
        try
        {
            long? sealedFooter = await FooterSeal.VerifyAsync(stream, cancellationToken).ConfigureAwait(false);
            BoundedStream bounded = new(sealedFooter is null ? await PaddedFooter.OfAsync(stream, cancellationToken).ConfigureAwait(false) : stream);
            reader = await CreateAsync(bounded, isWide: false, cancellationToken).ConfigureAwait(false);
            if (reader.Schema.Fields.Any(field => field is DecimalDataField { Precision: > ScaledDecimal.MaxPrecision }))
            {
                await reader.DisposeAsync().ConfigureAwait(false);
                reader = await CreateAsync(bounded, isWide: true, cancellationToken).ConfigureAwait(false);
            }

            RequireConsistentCounts(reader);
            return new ParquetFileBatches(reader, bounded, ChecksumsOf(reader, sealedFooter));
        }
        catch (Exception e) when (IsDamage(e))
        {
            if (reader is not null)
                await reader.DisposeAsync().ConfigureAwait(false);
            throw new DataLoadException(0, column: null, value: null, $"The stream is no Parquet file, or it is damaged. {e.Message}", e);
        }
    }

    public override int Read() => Blocking.Wait(() => ReadAsync(CancellationToken.None).AsTask());

    public override async ValueTask<int> ReadAsync(CancellationToken cancellationToken)
    {
        while (_next == _rowsInGroup)
        {
            if (_groups == _reader.RowGroupCount)
                return 0;
            await ReadGroupAsync(cancellationToken).ConfigureAwait(false);
        }

        int count = Math.Min(PartRows, _rowsInGroup - _next);
        foreach (ParquetColumnReader column in _columns)
            Copy(column, count);
        _next += count;
        _rows += count;
        return count;
    }

    public override async ValueTask DisposeAsync() => await _reader.DisposeAsync().ConfigureAwait(false);

    protected override void Dispose(bool disposing) => Blocking.Wait(() => _reader.DisposeAsync().AsTask());

    // A damaged number of rows would ask for memory that the file does not fill.
    private static void RequireConsistentCounts(ParquetReader reader)
    {
        FileMetaData file = reader.Metadata ?? throw new InvalidDataException("The file does not say what is in it.");
        if (file.RowGroups.Any(group => group.NumRows is < 0 or > int.MaxValue) || file.RowGroups.Sum(group => group.NumRows) != file.NumRows)
            throw new InvalidDataException($"The file says that it has {file.NumRows} rows, but its groups have other numbers.");
    }

    /// <summary>The checksums of a file that we wrote; null for those of others.</summary>
    private static GroupChecksums? ChecksumsOf(ParquetReader reader, long? sealedFooter)
    {
        string? text = reader.Metadata?.KeyValueMetadata?.Find(pair => pair.Key == GroupChecksums.Key)?.Value;
        if (sealedFooter is null)
        {
            return text is null || !FooterSeal.IsWriter(reader.Metadata?.CreatedBy) ? null
                : throw new InvalidDataException("Its footer is damaged: the checksum is not there.");
        }

        GroupChecksums checksums = GroupChecksums.Parse(text ?? "");
        if (checksums.Count != reader.RowGroupCount || (checksums.Count > 0 && checksums.End != sealedFooter))
            throw new InvalidDataException($"The {checksums.Count} row groups of which the file has checksums end at byte {checksums.End}; its {reader.RowGroupCount} row groups end at byte {sealedFooter}.");
        return checksums;
    }

    private static Task<ParquetReader> CreateAsync(BoundedStream stream, bool isWide, CancellationToken cancellationToken)
    {
        // The footer, which may be most of the file, is read once more.
        stream.Allow(stream.Length);
        return ParquetReader.CreateAsync(stream, new ParquetOptions { UseDateOnlyTypeForDates = true, UseBigDecimal = isWide }, leaveStreamOpen: true, cancellationToken);
    }

    private async ValueTask ReadGroupAsync(CancellationToken cancellationToken)
    {
        ParquetRowGroupReader group = _reader.OpenRowGroupReader(_groups);
        int rows = (int)group.RowCount;
        await VerifyGroupAsync(cancellationToken).ConfigureAwait(false);
        foreach (ParquetColumnReader column in _columns)
        {
            try
            {
                if (group.GetMetadata(column.Field)?.MetaData is not { } chunk)
                    throw new InvalidDataException("A group of rows lacks the column.");
                if (chunk.NumValues != rows)
                    throw new InvalidDataException($"A group of {rows} rows has {chunk.NumValues} values.");
                _stream.Allow(_stream.Length);
                await column.ReadGroupAsync(group, rows, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception e) when (IsDamage(e))
            {
                throw new DataLoadException(_rows + 1, column.Field.Name, value: null, $"The column cannot be read from here on. {e.Message}", e);
            }
        }

        _groups++;
        (_rowsInGroup, _next) = (rows, 0);
    }

    private async ValueTask VerifyGroupAsync(CancellationToken cancellationToken)
    {
        if (_checksums is null)
            return;
        try
        {
            _stream.Allow(_stream.Length);
            await _checksums.VerifyAsync(_groups, _stream, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (IsDamage(e))
        {
            throw new DataLoadException(_rows + 1, column: null, value: null, $"The rows from here on cannot be read. {e.Message}", e);
        }
    }

    private void Copy(ParquetColumnReader column, int count)
    {
        int i = 0;
        try
        {
            for (; i < count; i++)
                column.CopyNext(i);
        }
        catch (Exception e) when (IsDamage(e))
        {
            throw new DataLoadException(_rows + i + 1, column.Field.Name, value: null, $"It cannot be read. {e.Message}", e);
        }
    }

    // Also a lack of memory: a damaged size asks for any number of bytes.
    private static bool IsDamage(Exception e) => e is not (DataLoadException or OperationCanceledException);
}
