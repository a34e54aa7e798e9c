namespace TpcH;

/// <param name="Date">First day of the year that is looked at.</param>
/// <param name="Discount">Centre of a band that reaches 0.01 to both sides, ends included.</param>
/// <param name="Quantity">Lines below it count.</param>
public sealed record Q06Parameters(DateOnly Date, decimal Discount, decimal Quantity) : QueryParameters
{
    private const decimal HalfBand = 0.01m;

    public DateOnly DateEnd => Date.AddYears(1);

    public decimal DiscountLow => Discount - HalfBand;

    public decimal DiscountHigh => Discount + HalfBand;

    public override IReadOnlyDictionary<string, string> SqlLiterals => new Dictionary<string, string>
    {
        ["DATE"] = Sql(Date),
        ["DATE_END"] = Sql(DateEnd),
        ["DISCOUNT_LOW"] = Sql(DiscountLow),
        ["DISCOUNT_HIGH"] = Sql(DiscountHigh),
        ["QUANTITY"] = Sql(Quantity),
    };

    public static Q06Parameters Read(ParameterValues values) =>
        new(values.Date("DATE"), values.Number("DISCOUNT"), values.Number("QUANTITY"));
}
