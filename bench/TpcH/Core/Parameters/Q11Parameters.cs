namespace TpcH;

/// <param name="Fraction">Of the value of all stock of the nation, that a part has to exceed.</param>
public sealed record Q11Parameters(string Nation, decimal Fraction) : QueryParameters
{
    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["NATION"] = Sql(Nation), ["FRACTION"] = Sql(Fraction) };

    public static Q11Parameters Read(ParameterValues values) => new(values.Text("NATION"), values.Number("FRACTION"));
}
