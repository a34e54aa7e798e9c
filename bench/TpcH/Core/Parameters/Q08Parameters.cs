namespace TpcH;

/// <param name="Region">The region of <paramref name="Nation"/>.</param>
public sealed record Q08Parameters(string Nation, string Region, string Type) : QueryParameters
{
    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["NATION"] = Sql(Nation), ["REGION"] = Sql(Region), ["TYPE"] = Sql(Type) };

    public static Q08Parameters Read(ParameterValues values) => new(values.Text("NATION"), values.Text("REGION"), values.Text("TYPE"));
}
