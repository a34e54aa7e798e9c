namespace TpcH;

/// <param name="Date">First day of the month that is looked at.</param>
public sealed record Q14Parameters(DateOnly Date) : QueryParameters
{
    public DateOnly DateEnd => Date.AddMonths(1);

    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["DATE"] = Sql(Date), ["DATE_END"] = Sql(DateEnd) };

    public static Q14Parameters Read(ParameterValues values) => new(values.Date("DATE"));
}
