using Smc.Collections.Indexes;
using Smc.Collections.Kernels;
using Smc.Collections.Removing;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>Writes collections to a stream: threads encode sections, the calling one among them, which writes them in order.</summary>
internal sealed class DatabaseWriter
{
    private readonly IRowOwner[] _owners;
    private readonly SaveOptions _options;
    private readonly List<SectionPlace> _places = [];
    private long _offset;
    private long _dangling;
    private long _dropped;

    /// <param name="collections">The collections.</param>
    /// <param name="options">How.</param>
    /// <exception cref="ArgumentException">There are none, one is no <see cref="Collection{T}"/> or seen through a snapshot, or two have one type and name.</exception>
    public DatabaseWriter(ReadOnlySpan<IRowCollection> collections, SaveOptions options)
    {
        SaveOptions.Validate(options);
        _options = options;
        _owners = new IRowOwner[collections.Length];
        HashSet<(string, string)> names = [];
        for (int i = 0; i < collections.Length; i++)
        {
            _owners[i] = collections[i] is IRowOwner { Snapshot: null } owner ? owner : throw new ArgumentException("Only Collection<T> can be saved: not null, and not what is seen through a snapshot.", nameof(collections));
            if (!names.Add((_owners[i].Schema.SavedName, _owners[i].Name)))
                throw new ArgumentException($"Two collections of {_owners[i].Schema.RowType.Name} have the name '{_owners[i].Name}'. Give them different names, which is how they are found again.", nameof(collections));
        }

        if (_owners.Length == 0)
            throw new ArgumentException("Name the collections that are to be saved.", nameof(collections));
    }

    /// <summary>A piece of work: a column of a range of rows.</summary>
    private readonly record struct Job(NotedRows Rows, ColumnEncoder Encoder, long FirstRow, int Count);

    /// <summary>Writes all collections.</summary>
    /// <param name="write">Takes the bytes of the file in order.</param>
    public SaveResult Write(Action<ReadOnlyMemory<byte>> write)
    {
        if (Epoch.IsInsideSection)
            throw new InvalidOperationException("Collections are saved outside of initialisers and critical sections.");
        using SavedMoment moment = new(_owners, _options.CancellationToken);
        NotedRows[] noted = Array.ConvertAll(_owners, owner => NotedRows.Note(owner, moment));
        Dictionary<string, List<RowNumbers>> numbers = NumberTargets(noted, moment);
        try
        {
            List<Job> jobs = [];
            byte[] schema = SchemaJson.Write(Plan(noted, numbers, jobs));
            WriteHeader(write, schema, moment.Time.UtcDateTime);
            WriteSections(write, jobs, moment);
            // Without a footer it is no file.
            moment.ThrowIfLost();
            long rows = noted.Sum(static rows => rows.Count);
            WriteFooter(write, rows);
            _options.Progress?.Report(new DatabaseProgress(1, _offset));
            return new SaveResult(rows, _offset, _dangling, _dropped);
        }
        finally
        {
            foreach (RowNumbers number in numbers.Values.SelectMany(static list => list))
                number.Dispose();
        }
    }

    // Only rows that others refer to need numbers.
    private Dictionary<string, List<RowNumbers>> NumberTargets(NotedRows[] noted, SavedMoment moment)
    {
        HashSet<string> targets = new(StringComparer.Ordinal);
        foreach (IRowOwner owner in _owners)
        {
            foreach (TabularProperty property in owner.Schema.Transfer.Properties)
            {
                if (property.Traits.IsReference)
                    targets.Add(SavedColumn.Of(property, sizeof(ulong)).Type!);
            }
        }

        Dictionary<string, List<RowNumbers>> numbers = new(StringComparer.Ordinal);
        foreach (string target in targets)
        {
            List<RowNumbers> list = [];
            long before = 0;
            for (int i = 0; i < _owners.Length; i++)
            {
                if (!string.Equals(_owners[i].Schema.SavedName, target, StringComparison.Ordinal))
                    continue;
                if (before + noted[i].Count > uint.MaxValue)
                    throw new NotSupportedException($"There are more than {uint.MaxValue:N0} rows of {target} to refer to. Save fewer collections of it at once.");
                list.Add(new RowNumbers(noted[i], before, moment, _options.DegreeOfParallelism));
                before += noted[i].Count;
            }

            numbers.Add(target, list);
        }

        return numbers;
    }

    private SavedCollection[] Plan(NotedRows[] noted, Dictionary<string, List<RowNumbers>> numbers, List<Job> jobs)
    {
        SavedCollection[] schema = new SavedCollection[_owners.Length];
        for (int i = 0; i < _owners.Length; i++)
        {
            IRowOwner owner = _owners[i];
            List<SavedColumn> columns = [];
            List<ColumnEncoder> encoders = [];
            Dictionary<string, ColumnLayout> layouts = owner.Schema.Layout.Columns.ToArray().ToDictionary(static column => column.Name, StringComparer.Ordinal);
            foreach (TabularProperty property in owner.Schema.Transfer.Properties)
            {
                ColumnLayout layout = layouts[property.Traits.Name];
                SavedColumn column = SavedColumn.Of(property, layout.Width);
                if (column.Kind == ValueKind.Reference && numbers[column.Type!].Count == 0)
                {
                    if (_options.OnUnsaved == UnsavedReferenceAction.Throw)
                        throw ReferenceEncoder.UnsavedTarget(owner.Name, column, target: null);
                    continue;
                }

                encoders.Add(EncoderOf(i, columns.Count, column, layout, numbers, owner.Name));
                columns.Add(column);
            }

            if (columns.Count == 0)
                throw new InvalidOperationException($"Nothing is left of collection '{owner.Name}': its properties refer to collections that are not saved. Pass these, too.");
            schema[i] = new SavedCollection(owner.Name, owner.Schema.SavedName, noted[i].Count, columns, IndexesOf(owner));
            for (long row = 0; row < noted[i].Count; row += SectionHeader.MaxRows)
            {
                int count = (int)Math.Min(SectionHeader.MaxRows, noted[i].Count - row);
                foreach (ColumnEncoder encoder in encoders)
                    jobs.Add(new Job(noted[i], encoder, row, count));
            }
        }

        return schema;
    }

    private ColumnEncoder EncoderOf(int collection, int number, SavedColumn column, ColumnLayout layout, Dictionary<string, List<RowNumbers>> numbers, string owner) => column.Kind switch
    {
        ValueKind.Text or ValueKind.Binary => new TextEncoder(collection, number, column, layout),
        ValueKind.Reference => new ReferenceEncoder(collection, number, column, layout, numbers[column.Type!], _options, owner),
        ValueKind.DateTimeOffset => new OffsetDateEncoder(collection, number, column, layout),
        _ => new FixedEncoder(collection, number, column, layout),
    };

    private static SavedIndex[] IndexesOf(IRowOwner owner) =>
    [
        .. (owner.Context.Indexes.All ?? []).OfType<KeyedIndex>().Where(static index => index.IsComplete && !index.IsDropped && index is not ReferrerIndex)
            .Select(static index => new SavedIndex(index.Name, index is HashIndex, index.Description.IsDeclared, [.. index.Parts.Select(static part => part.Name)])),
    ];

    private void WriteHeader(Action<ReadOnlyMemory<byte>> write, byte[] schema, DateTime moment)
    {
        byte[] bytes = new byte[FileHeader.Bytes + FileHeader.Padded(schema.Length)];
        new FileHeader(FileHeader.CurrentMajor, FileHeader.CurrentMinor, moment, schema.Length, Crc32C.Of(schema)).Write(bytes);
        schema.CopyTo(bytes, FileHeader.Bytes);
        Put(write, bytes);
    }

    private void WriteSections(Action<ReadOnlyMemory<byte>> write, List<Job> jobs, SavedMoment moment)
    {
        int done = 0;
        new OrderedWork<SectionBuffer>(jobs.Count, _options.DegreeOfParallelism, (number, buffer) => Encode(jobs[number], moment, buffer)).Run(
            buffer =>
            {
                foreach (SectionPlace place in buffer.Places)
                    _places.Add(place with { Offset = _offset + place.Offset });
                _dangling += buffer.Lost.Dangling;
                _dropped += buffer.Lost.Dropped;
                Put(write, buffer.Memory);
                _options.Progress?.Report(new DatabaseProgress((double)++done / jobs.Count, _offset));
            },
            _options.CancellationToken);
    }

    private static void Encode(Job job, SavedMoment moment, SectionBuffer buffer)
    {
        buffer.Clear();
        using CriticalSection section = moment.Read();
        job.Encoder.Encode(job.Rows, job.FirstRow, job.Count, buffer);
    }

    private void WriteFooter(Action<ReadOnlyMemory<byte>> write, long rows)
    {
        int length = checked(_places.Count * FileFooter.PlaceBytes);
        SectionBuffer buffer = new();
        FileFooter.Write(buffer.Begin(length), _places);
        buffer.End(new SectionHeader(SectionKind.Footer, SectionEncoding.Fixed, 0, 0, 0, _places.Count, length, DataCrc: 0));
        byte[] tail = new byte[FileFooter.TailBytes];
        new FileFooter(_places.Count, rows, _offset, buffer.Places[0].DataCrc).WriteTail(tail);
        Put(write, buffer.Memory);
        Put(write, tail);
    }

    private void Put(Action<ReadOnlyMemory<byte>> write, ReadOnlyMemory<byte> bytes)
    {
        _options.CancellationToken.ThrowIfCancellationRequested();
        write(bytes);
        _offset += bytes.Length;
    }
}
