using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;
using Smc.Collections.Indexes;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>Reads a file into new collections: threads take turns to read a section, which each of them then checks and decodes. Nothing is published before the last check.</summary>
internal sealed class DatabaseReader
{
    private readonly FileSource _source;
    private readonly string _file;
    private readonly LoadOptions _options;
    private readonly RowType[] _types;
    private readonly FileFooter? _announced;
    private readonly List<SectionPlace> _places = [];
    private long _offset;
    private FileHeader _header;
    private IReadOnlyList<SavedCollection> _schema = [];
    private LoadPlan? _plan;
    private LoadedRows?[] _rows = [];
    private ColumnDecoder?[][] _decoders = [];

    /// <param name="source">The bytes.</param>
    /// <param name="file">What messages call it.</param>
    /// <param name="announced">The end of the file, if it could be read before.</param>
    /// <param name="types">The row types.</param>
    /// <param name="options">How.</param>
    public DatabaseReader(FileSource source, string file, FileFooter? announced, RowType[] types, LoadOptions options)
    {
        _source = source;
        _file = file;
        _announced = announced;
        _types = types;
        _options = options;
    }

    /// <summary>Reads all.</summary>
    /// <exception cref="InvalidDataException">The file is damaged, or none.</exception>
    public Database Read()
    {
        if (Epoch.IsInsideSection)
            throw new InvalidOperationException("Collections are loaded outside of initialisers and critical sections.");
        List<IRowOwner> owners = [];
        try
        {
            try
            {
                ReadSchema();
                Reserve(owners);
                ReadSections();
            }
            catch (FormatException error)
            {
                throw Damaged(error, section: null);
            }

            Publish();
            BuildIndexes();
            Database database = new([.. owners], _header.Moment, _plan!.Skipped);
            return database;
        }
        catch
        {
            foreach (IRowOwner owner in owners)
                owner.Dispose();
            throw;
        }
    }

    private void ReadSchema()
    {
        byte[] bytes = new byte[FileHeader.Bytes];
        _source.Read(bytes);
        _header = FileHeader.Read(bytes);
        _source.Read(ref bytes, FileHeader.Padded(_header.SchemaBytes));
        ReadOnlyMemory<byte> schema = bytes.AsMemory(0, _header.SchemaBytes);
        if (Crc32C.Of(schema.Span) != _header.SchemaCrc || bytes.AsSpan(_header.SchemaBytes, FileHeader.Padded(_header.SchemaBytes) - _header.SchemaBytes).ContainsAnyExcept((byte)0))
            throw new FormatException("The schema's checksum is wrong.");
        _schema = SchemaJson.Read(schema);
        Int128 rows = 0, least = 0;
        foreach (SavedCollection collection in _schema)
        {
            rows += collection.Rows;
            least += (Int128)collection.Rows * collection.Columns.Sum(static column => (long)column.LeastBytes);
        }

        if (_source.Length is { } length && least > length)
            throw new FormatException($"{rows} rows take at least {least} bytes, and the file has {length}.");
        if (_announced is { } end && end.Rows != rows)
            throw new FormatException($"The schema has {rows} rows, and the end of the file says {end.Rows}.");
        _plan = new LoadPlan(_schema, _types);
    }

    private void Reserve(List<IRowOwner> owners)
    {
        _rows = new LoadedRows?[_schema.Count];
        List<(int Collection, IRowOwner Owner, long Rows)> created = [];
        for (int i = 0; i < _rows.Length; i++)
        {
            if (_plan!.Collections[i] is not { } planned)
                continue;
            _options.CancellationToken.ThrowIfCancellationRequested();
            CollectionOptions options = _options.OptionsOf(planned.Saved.Name);
            IRowOwner owner = planned.Schema.Transfer.CreateCollection(options with { MaxRows = Math.Max(options.MaxRows, planned.Saved.Rows) });
            owners.Add(owner);
            created.Add((i, owner, planned.Saved.Rows));
        }

        // Most of it is the system's work, which clears the memory: that of the largest collection beside that of all others.
        created.Sort(static (a, b) => b.Rows.CompareTo(a.Rows));
        ForEach(created, one => _rows[one.Collection] = new LoadedRows(one.Owner, one.Rows));
        _decoders = new ColumnDecoder?[_rows.Length][];
        for (int i = 0; i < _rows.Length; i++)
        {
            _decoders[i] = new ColumnDecoder?[_schema[i].Columns.Count];
            if (_rows[i] is not { } rows)
                continue;
            DefaultValues.Fill(rows, _plan!.Collections[i]!.Defaults);
            for (int k = 0; k < _decoders[i].Length; k++)
            {
                if (_plan.Collections[i]!.Columns[k] is { } column)
                    _decoders[i][k] = DecoderOf(_schema[i].Columns[k], column, rows);
            }
        }
    }

    private ColumnDecoder DecoderOf(SavedColumn saved, PlannedColumn column, LoadedRows rows) => saved.Kind switch
    {
        ValueKind.Text or ValueKind.Binary => new TextDecoder(saved, column.Layout, rows),
        ValueKind.Reference => new ReferenceDecoder(saved, column.Layout, rows, [.. _plan!.TargetsOf(saved.Type!).Select(i => _rows[i]!)]),
        _ => new FixedDecoder(saved, column.Today, column.Layout, rows),
    };

    private void ReadSections()
    {
        SectionOrder order = new(_schema);
        double values = Math.Max(1, _schema.Sum(static collection => (double)collection.Rows * collection.Columns.Count));
        double done = 0;
        byte[] bytes = new byte[SectionHeader.Bytes];
        int caller = Environment.CurrentManagedThreadId;
        new TurnTakers<LoadedSection>(ReadSection, Decode).Run(_options.DegreeOfParallelism);
        ReportProgress();

        bool ReadSection(LoadedSection section)
        {
            _options.CancellationToken.ThrowIfCancellationRequested();
            if (Environment.CurrentManagedThreadId == caller)
                ReportProgress();
            _offset = _source.Position;
            _source.Read(bytes);
            SectionHeader header = SectionHeader.Read(bytes, out uint crc);
            if (header.Kind == SectionKind.Footer)
            {
                ReadEnd(header);
                order.End();
                return false;
            }

            if (header.Kind is SectionKind.Values or SectionKind.Nulls)
                Pass(order, header);
            else if (_header.Minor <= FileHeader.CurrentMinor)
                throw new FormatException($"There is no section of kind {(int)header.Kind}.");
            section.Read(_source, header, _offset);
            _places.Add(new SectionPlace(_offset, crc, header.DataCrc));
            done += header.Kind == SectionKind.Values ? header.Rows : 0;
            return true;
        }

        void ReportProgress() => _options.Progress?.Report(new DatabaseProgress(Math.Min(done / values, 1), _source.Position));
    }

    private void Pass(SectionOrder order, in SectionHeader header)
    {
        try
        {
            order.Pass(header);
        }
        catch (FormatException error)
        {
            throw Damaged(error, header);
        }
    }

    private void Decode(LoadedSection section)
    {
        try
        {
            section.Check();
            SectionHeader header = section.Header;
            if (header.Kind is not (SectionKind.Values or SectionKind.Nulls) || _decoders[header.Collection][header.Column] is not { } decoder)
                return;
            using CriticalSection reading = CriticalSection.Enter();
            MemoryContext context = _rows[header.Collection]!.Context;
            context.ThrowIfDisposed();
            if (header.Kind == SectionKind.Nulls)
                decoder.DecodeNulls(header, section.Data);
            else
                decoder.Decode(header, section.Data);
        }
        catch (FormatException error)
        {
            throw Damaged(error, section.Header, section.Offset);
        }
    }

    private void ReadEnd(in SectionHeader header)
    {
        LoadedSection footer = new();
        footer.Read(_source, header, _offset);
        footer.Check();
        if (header.Rows != _places.Count || !FileFooter.Names(footer.Data, _places))
            throw new FormatException("The sections of the file are not those that its end names.");
        FileFooter expected = new(_places.Count, _schema.Sum(static collection => collection.Rows), _offset, header.DataCrc);
        byte[] tail = new byte[FileFooter.TailBytes];
        _offset = _source.Position;
        _source.Read(tail);
        FileFooter end = FileFooter.ReadTail(tail);
        if (end != expected || (_announced is { } announced && announced != end))
            throw new FormatException("The end of the file does not fit its beginning.");
    }

    private void Publish()
    {
        // In any order, targets of direct references too: nobody has any of these collections before all are published.
        List<(LoadedRows Rows, int Block)> blocks = [.. _rows.OfType<LoadedRows>().SelectMany(static rows => Enumerable.Range(0, rows.BlockCount).Select(block => (rows, block)))];
        ForEach(blocks, static block => block.Rows.Publish(block.Block));
    }

    // Each thread takes the next part when it is done with one.
    private void ForEach<T>(IList<T> parts, Action<T> action)
    {
        ParallelOptions parallel = new() { MaxDegreeOfParallelism = _options.DegreeOfParallelism, CancellationToken = _options.CancellationToken };
        try
        {
            Parallel.ForEach(Partitioner.Create(parts, loadBalance: true), parallel, action);
        }
        catch (AggregateException several)
        {
            ExceptionDispatchInfo.Throw(several.InnerExceptions[0]);
        }
    }

    private void BuildIndexes()
    {
        for (int i = 0; i < _rows.Length; i++)
        {
            if (_rows[i]?.Owner is not { } owner)
                continue;
            try
            {
                foreach (DeclaredKey key in owner.Schema.Keys)
                    Build(owner, new IndexDescription(IndexDescription.NameOf(owner.Name, key.Parts), key.Parts, key.KeyType, isDeclared: true), key.IsUnique);
                owner.BuildReferrerIndexes(_options.DegreeOfParallelism, _options.CancellationToken);
                foreach (PlannedIndex index in _plan!.Collections[i]!.Indexes)
                    Build(owner, new IndexDescription(index.Name, index.Parts, keyType: null, isDeclared: false), index.IsUnique);
            }
            catch (DuplicateKeyException error)
            {
                throw new InvalidDataException($"'{_file}' cannot be loaded: {error.Message}", error);
            }
        }
    }

    private void Build(IRowOwner owner, IndexDescription index, bool isUnique) => owner.BuildIndex(index, isUnique, _options.DegreeOfParallelism, _options.CancellationToken);

    private InvalidDataException Damaged(FormatException error, SectionHeader? section, long? offset = null)
    {
        string place = "";
        if (section is { } header && (uint)header.Collection < (uint)_schema.Count)
        {
            SavedCollection collection = _schema[header.Collection];
            place = (uint)header.Column < (uint)collection.Columns.Count ? $"{collection.Name}.{collection.Columns[header.Column].Name}, " : $"{collection.Name}, ";
        }

        return new InvalidDataException($"'{_file}' cannot be loaded ({place}byte {offset ?? _offset}): {error.Message}", error);
    }
}
