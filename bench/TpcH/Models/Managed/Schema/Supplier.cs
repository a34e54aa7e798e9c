namespace TpcH.Model;

internal sealed class Supplier
{
    public required int SuppKey { get; set; }

    public required string Name { get; set; }

    public required string Address { get; set; }

    public required int NationKey { get; set; }

    public required Nation Nation { get; set; }

    public required string Phone { get; set; }

    public required decimal AcctBal { get; set; }

    public required string Comment { get; set; }
}
