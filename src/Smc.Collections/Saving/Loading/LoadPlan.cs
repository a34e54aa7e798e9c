using Smc.Collections.Indexes;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Saving;

/// <summary>What becomes of each collection and property of a file, decided before a row is read.</summary>
internal sealed class LoadPlan
{
    private readonly IReadOnlyList<SavedCollection> _saved;
    private readonly Dictionary<string, TabularSchema> _types = new(StringComparer.Ordinal);
    private readonly List<SkippedData> _skipped = [];

    /// <param name="saved">The schema of the file.</param>
    /// <param name="types">The row types; those that they refer to come along.</param>
    /// <exception cref="InvalidOperationException">A property does not take what is in the file, or has no value there and no default.</exception>
    public LoadPlan(IReadOnlyList<SavedCollection> saved, ReadOnlySpan<RowType> types)
    {
        _saved = saved;
        AddTypes(types);
        Collections = new PlannedCollection?[saved.Count];
        for (int i = 0; i < saved.Count; i++)
        {
            if (!_types.TryGetValue(saved[i].RowType, out TabularSchema? schema))
                _skipped.Add(new SkippedData(saved[i].Name, Property: null));
            else
                Collections[i] = Plan(saved[i], schema);
        }
    }

    /// <summary>By their number in the file; null if the collection is left out.</summary>
    public PlannedCollection?[] Collections { get; }

    /// <summary>What is left out.</summary>
    public IReadOnlyList<SkippedData> Skipped => _skipped;

    /// <summary>The numbers of the collections to which references to a type of the file lead.</summary>
    public IEnumerable<int> TargetsOf(string type) => Enumerable.Range(0, _saved.Count).Where(i => string.Equals(_saved[i].RowType, type, StringComparison.Ordinal));

    private void AddTypes(ReadOnlySpan<RowType> types)
    {
        List<TabularSchema> schemas = [];
        foreach (RowType type in types)
        {
            ArgumentNullException.ThrowIfNull(type, nameof(types));
            schemas.Add(type.Schema);
        }

        // Grows while it is walked.
        for (int i = 0; i < schemas.Count; i++)
        {
            if (!_types.TryAdd(schemas[i].SavedName, schemas[i]))
                continue;
            foreach (TabularProperty property in schemas[i].Transfer.Properties)
            {
                if (TargetOf(property) is { } target)
                    schemas.Add(target);
            }
        }

        foreach (TabularSchema schema in _types.Values.ToArray())
        {
            if (schema.FormerName is { } former)
                _types.TryAdd(former, schema);
        }
    }

    private PlannedCollection Plan(SavedCollection saved, TabularSchema schema)
    {
        Dictionary<string, int> numbers = new(StringComparer.Ordinal);
        for (int i = 0; i < saved.Columns.Count; i++)
        {
            if (!numbers.TryAdd(saved.Columns[i].Name, i))
                throw new FormatException($"Collection '{saved.Name}' has two properties {saved.Columns[i].Name}.");
        }

        PlannedColumn?[] columns = new PlannedColumn?[saved.Columns.Count];
        List<ColumnLayout> defaults = [];
        ColumnLayout[] layouts = schema.Layout.Columns.ToArray();
        foreach (TabularProperty property in schema.Transfer.Properties)
        {
            ColumnLayout layout = layouts.First(column => string.Equals(column.Name, property.Traits.Name, StringComparison.Ordinal));
            SavedColumn today = SavedColumn.Of(property, layout.Width);
            if (numbers.TryGetValue(property.Traits.Name, out int number) || (property.Traits.FormerName is { } former && numbers.TryGetValue(former, out number)))
            {
                if (columns[number] is { } other)
                    throw new InvalidOperationException($"{schema.RowType.Name}.{other.Layout.Name} and {property.Traits.Name} would both take {saved.Name}.{saved.Columns[number].Name}. Remove a [SavedAs].");
                RequireFit(saved, saved.Columns[number], property, today, schema);
                columns[number] = new PlannedColumn(layout, today, property);
            }
            else if (!property.Traits.IsOptional)
            {
                throw new InvalidOperationException(
                    $"{schema.RowType.Name}.{property.Traits.Name} is newer than the file, and has no default. Give it [Default(…)], make it nullable, or name what it was with [SavedAs(\"…\")].");
            }
            else if (today.Kind != ValueKind.Reference)
            {
                defaults.Add(layout);
            }
        }

        for (int i = 0; i < columns.Length; i++)
        {
            if (columns[i] is null)
                _skipped.Add(new SkippedData(saved.Name, saved.Columns[i].Name));
        }

        return new PlannedCollection(saved, schema, columns, defaults, IndexesOf(saved, numbers, columns));
    }

    private void RequireFit(SavedCollection collection, SavedColumn saved, TabularProperty property, SavedColumn today, TabularSchema schema)
    {
        string? why = ValueConversion.WhyNot(saved, today);
        if (why is null && today.Kind == ValueKind.Reference && _types.GetValueOrDefault(saved.Type!) != TargetOf(property))
            why = "it refers to other rows";
        if (why is not null)
        {
            throw new InvalidOperationException(
                $"{schema.RowType.Name}.{property.Traits.Name} is {today} today, and {collection.Name}.{saved.Name} is {saved} in the file: {why}. Load it with the older type, or give the property another name.");
        }
    }

    private List<PlannedIndex> IndexesOf(SavedCollection saved, Dictionary<string, int> numbers, PlannedColumn?[] columns)
    {
        List<PlannedIndex> indexes = [];
        foreach (SavedIndex index in saved.Indexes.Where(static index => !index.IsDeclared))
        {
            KeyPart?[] parts = [.. index.Columns.Select(name => numbers.TryGetValue(name, out int number) && columns[number] is { } column ? PartOf(column) : null)];
            if (parts.Length is 0 or > KeyImage.MaxParts || parts.Contains(null))
                _skipped.Add(new SkippedData(saved.Name, Property: null, index.Name));
            else
                indexes.Add(new PlannedIndex(index.Name, parts!, index.IsUnique));
        }

        return indexes;
    }

    private static KeyPart? PartOf(PlannedColumn column)
    {
        ColumnTraits traits = column.Property.Traits;
        Type type = column.Property.CreateBuffer(1).ValueType;
        return KeySelector.KindOf(type, column.Layout, traits.Precision > 0) is { } kind ? new KeyPart(column.Layout, type, kind, traits.Scale) : null;
    }

    private static TabularSchema? TargetOf(TabularProperty property) => property.CreateBuffer(1).Accept(RowTypeOfValues.Instance);

    private sealed class RowTypeOfValues : IColumnVisitor<TabularSchema?>
    {
        public static readonly RowTypeOfValues Instance = new();

        public TabularSchema? Visit<TValue>(ColumnBuffer<TValue> column) => ((object?)default(TValue) as ITabular)?.Schema;

        public TabularSchema? VisitNullable<TValue>(NullableColumnBuffer<TValue> column)
            where TValue : struct => ((object)default(TValue) as ITabular)?.Schema;
    }
}

/// <summary>A collection of a file that is loaded.</summary>
/// <param name="Saved">What the file says.</param>
/// <param name="Schema">The row type.</param>
/// <param name="Columns">By their number in the file; null if the property is left out.</param>
/// <param name="Defaults">Columns that are not in the file.</param>
/// <param name="Indexes">Indexes to create, beside those that the type declares.</param>
internal sealed record PlannedCollection(
    SavedCollection Saved, TabularSchema Schema, PlannedColumn?[] Columns, IReadOnlyList<ColumnLayout> Defaults, IReadOnlyList<PlannedIndex> Indexes);

/// <summary>A property of a file that is loaded.</summary>
internal sealed record PlannedColumn(ColumnLayout Layout, SavedColumn Today, TabularProperty Property);

/// <summary>An index that is created.</summary>
internal sealed record PlannedIndex(string Name, KeyPart[] Parts, bool IsUnique);
