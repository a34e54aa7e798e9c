namespace TpcH;

/// <param name="Date">First day of the year that is looked at.</param>
public sealed record Q12Parameters(string ShipMode1, string ShipMode2, DateOnly Date) : QueryParameters
{
    public DateOnly DateEnd => Date.AddYears(1);

    public override IReadOnlyDictionary<string, string> SqlLiterals => new Dictionary<string, string>
    {
        ["SHIPMODE1"] = Sql(ShipMode1),
        ["SHIPMODE2"] = Sql(ShipMode2),
        ["DATE"] = Sql(Date),
        ["DATE_END"] = Sql(DateEnd),
    };

    public static Q12Parameters Read(ParameterValues values) =>
        new(values.Text("SHIPMODE1"), values.Text("SHIPMODE2"), values.Date("DATE"));
}
