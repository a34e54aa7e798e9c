namespace TpcH;

/// <param name="Quantity1">The least quantity of parts of <paramref name="Brand1"/>; likewise for the others. The range is <see cref="QuantityRange"/> long.</param>
public sealed record Q19Parameters(string Brand1, string Brand2, string Brand3, decimal Quantity1, decimal Quantity2, decimal Quantity3) : QueryParameters
{
    private const int QuantityRange = 10;

    public decimal Quantity1High => Quantity1 + QuantityRange;

    public decimal Quantity2High => Quantity2 + QuantityRange;

    public decimal Quantity3High => Quantity3 + QuantityRange;

    public override IReadOnlyDictionary<string, string> SqlLiterals => new Dictionary<string, string>
    {
        ["BRAND1"] = Sql(Brand1),
        ["BRAND2"] = Sql(Brand2),
        ["BRAND3"] = Sql(Brand3),
        ["QUANTITY1"] = Sql(Quantity1),
        ["QUANTITY1_HIGH"] = Sql(Quantity1High),
        ["QUANTITY2"] = Sql(Quantity2),
        ["QUANTITY2_HIGH"] = Sql(Quantity2High),
        ["QUANTITY3"] = Sql(Quantity3),
        ["QUANTITY3_HIGH"] = Sql(Quantity3High),
    };

    public static Q19Parameters Read(ParameterValues values) => new(
        values.Text("BRAND1"), values.Text("BRAND2"), values.Text("BRAND3"),
        values.Number("QUANTITY1"), values.Number("QUANTITY2"), values.Number("QUANTITY3"));
}
