namespace TpcH;

public sealed record Q21Parameters(string Nation) : QueryParameters
{
    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["NATION"] = Sql(Nation) };

    public static Q21Parameters Read(ParameterValues values) => new(values.Text("NATION"));
}
