namespace TpcH;

/// <param name="Color">The first word of part names.</param>
/// <param name="Date">First day of the year that is looked at.</param>
public sealed record Q20Parameters(string Color, DateOnly Date, string Nation) : QueryParameters
{
    public DateOnly DateEnd => Date.AddYears(1);

    public override IReadOnlyDictionary<string, string> SqlLiterals => new Dictionary<string, string>
    {
        ["COLOR"] = Sql(Color),
        ["DATE"] = Sql(Date),
        ["NATION"] = Sql(Nation),
        ["DATE_END"] = Sql(DateEnd),
    };

    public static Q20Parameters Read(ParameterValues values) => new(values.Text("COLOR"), values.Date("DATE"), values.Text("NATION"));
}
