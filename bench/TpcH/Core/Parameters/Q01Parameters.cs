namespace TpcH;

/// <param name="Delta">Days before 1 December 1998 up to which lines count as shipped.</param>
public sealed record Q01Parameters(int Delta) : QueryParameters
{
    public DateOnly ShipDateMax => new DateOnly(1998, 12, 1).AddDays(-Delta);

    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["SHIPDATE_MAX"] = Sql(ShipDateMax) };

    public static Q01Parameters Read(ParameterValues values) => new(values.Integer("DELTA"));
}
