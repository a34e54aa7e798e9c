using TpcH.Dbgen;
using TpcH.Tbl;

namespace TpcH.Running;

/// <summary>
/// What the answers of a run are compared with: the reference answers where they apply (standard parameters, dbgen's data at a scale
/// factor that has them), otherwise the answer of another engine.
/// </summary>
internal sealed class ExpectedAnswers
{
    private readonly string? _referenceScale;
    private readonly Dictionary<string, Answer> _accepted = [];

    private ExpectedAnswers(string? referenceScale) => _referenceScale = referenceScale;

    public bool AreReference => _referenceScale is not null;

    public static ExpectedAnswers ForRun(ITableSource source, RunOptions options) =>
        new(options.Parameters is null && options.RandomSeeds.Count == 0 ? ReferenceScale(source) : null);

    public Answer? For(QueryDefinition query) =>
        (_referenceScale is null ? null : ReferenceAnswers.Find(_referenceScale, query)) ?? _accepted.GetValueOrDefault(query.Name);

    /// <summary>Later answers to the query are compared with this one, unless there is something better.</summary>
    public void Accept(QueryDefinition query, Answer answer) => _accepted.TryAdd(query.Name, answer);

    /// <summary>The scale factor at which dbgen makes tables of exactly these sizes, if it is one with reference answers.</summary>
    private static string? ReferenceScale(ITableSource source)
    {
        var scale = new ScaleFactor(Math.Max(source.Count(Table.Supplier) / (double)new ScaleFactor(1).Suppliers, 0.001));
        bool isDbgens = TableSchema.Tables.All(table => Checksums.Reference(scale, table) is { } reference && reference.Rows == source.Count(table));
        return isDbgens ? scale.ToString() : null;
    }
}
