namespace TpcH;

public sealed record Q17Parameters(string Brand, string Container) : QueryParameters
{
    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["BRAND"] = Sql(Brand), ["CONTAINER"] = Sql(Container) };

    public static Q17Parameters Read(ParameterValues values) => new(values.Text("BRAND"), values.Text("CONTAINER"));
}
