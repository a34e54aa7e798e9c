namespace TpcH;

public sealed record Q07Parameters(string Nation1, string Nation2) : QueryParameters
{
    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["NATION1"] = Sql(Nation1), ["NATION2"] = Sql(Nation2) };

    public static Q07Parameters Read(ParameterValues values) => new(values.Text("NATION1"), values.Text("NATION2"));
}
