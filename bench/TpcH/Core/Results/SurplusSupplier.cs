namespace TpcH;

/// <summary>A row of query 20: a supplier with more in stock than it ships.</summary>
public sealed record SurplusSupplier(string Name, string Address)
{
    public static AnswerShape<SurplusSupplier> Shape { get; } = new AnswerShape<SurplusSupplier>()
        .Text("s_name", row => row.Name)
        .Text("s_address", row => row.Address);
}
