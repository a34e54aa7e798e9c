namespace TpcH;

/// <param name="Quantity">Orders of more than it are large.</param>
public sealed record Q18Parameters(decimal Quantity) : QueryParameters
{
    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["QUANTITY"] = Sql(Quantity) };

    public static Q18Parameters Read(ParameterValues values) => new(values.Number("QUANTITY"));
}
