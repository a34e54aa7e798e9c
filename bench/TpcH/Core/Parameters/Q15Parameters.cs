namespace TpcH;

/// <param name="Date">First day of the quarter that is looked at.</param>
public sealed record Q15Parameters(DateOnly Date) : QueryParameters
{
    public DateOnly DateEnd => Date.AddMonths(3);

    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["DATE"] = Sql(Date), ["DATE_END"] = Sql(DateEnd) };

    public static Q15Parameters Read(ParameterValues values) => new(values.Date("DATE"));
}
