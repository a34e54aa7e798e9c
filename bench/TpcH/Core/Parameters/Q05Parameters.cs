namespace TpcH;

/// <param name="Date">First day of the year that is looked at.</param>
public sealed record Q05Parameters(string Region, DateOnly Date) : QueryParameters
{
    public DateOnly DateEnd => Date.AddYears(1);

    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["REGION"] = Sql(Region), ["DATE"] = Sql(Date), ["DATE_END"] = Sql(DateEnd) };

    public static Q05Parameters Read(ParameterValues values) => new(values.Text("REGION"), values.Date("DATE"));
}
