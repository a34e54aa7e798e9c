using Smc.QueryCompiler.Fuzz.Queries;

namespace Smc.QueryCompiler.Fuzz.Schema;

/// <summary>A stored property.</summary>
/// <param name="Name">Its name, <c>Int3</c>.</param>
/// <param name="Type">A scalar, or a row for a reference.</param>
/// <param name="IsOptional">Whether a text may be null.</param>
/// <param name="Precision">Digits of a <c>[Precision]</c> decimal, 0 without.</param>
/// <param name="Scale">Digits after its point.</param>
/// <param name="Spread">How far its values spread.</param>
/// <param name="IsDirect">Whether a reference is <c>[Direct]</c>.</param>
internal sealed record ColumnSchema(string Name, QueryType Type, bool IsOptional, int Precision, int Scale, Spread Spread, bool IsDirect)
{
    public bool CanBeNull => IsOptional || Type is ScalarType { IsNullable: true } or RowType;
}

/// <summary>A tabular struct.</summary>
/// <param name="Name">Its name.</param>
/// <param name="IsColumnar">How its rows lie in memory.</param>
/// <param name="BlockCapacity">Rows of a block.</param>
/// <param name="Columns">The stored properties.</param>
/// <param name="IsIndexed">Whether its collection has a unique index on <c>Id</c>, the number of the row, and ordered ones on the other columns that can have one.</param>
internal sealed record TableSchema(string Name, bool IsColumnar, int BlockCapacity, IReadOnlyList<ColumnSchema> Columns, bool IsIndexed)
{
    public RowType Row => new(Name);

    /// <summary>Columns with an ordered index.</summary>
    public IEnumerable<ColumnSchema> Ordered => Columns.Where(c => IsIndexed && c.Name != "Id" && c.Type is ScalarType
    {
        Kind: not (ScalarKind.Half or ScalarKind.Float or ScalarKind.Double or ScalarKind.DateTimeOffset or ScalarKind.Struct),
    });

    /// <summary>The calls that make its indexes.</summary>
    /// <param name="rows">The collection.</param>
    public string IndexText(string rows) => (IsIndexed ? $"{rows}.CreateUniqueIndex(r => r.Id); " : "") + string.Concat(Ordered.Select(c => $"{rows}.CreateIndex(r => r.{c.Name}); "));

    /// <summary>The collection's name among the parameters of a query.</summary>
    public string Parameter => char.ToLowerInvariant(Name[0]) + Name[1..] + "s";
}

/// <summary>The tables of one batch of queries. References go to the same or to earlier tables.</summary>
internal sealed record DatabaseSchema(IReadOnlyList<TableSchema> Tables)
{
    public TableSchema Table(string name) => Tables.First(t => t.Name == name);
}
