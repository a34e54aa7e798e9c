namespace TpcH.Model;

internal sealed class Customer
{
    public required int CustKey { get; set; }

    public required string Name { get; set; }

    public required string Address { get; set; }

    public required int NationKey { get; set; }

    public required Nation Nation { get; set; }

    public required string Phone { get; set; }

    public required decimal AcctBal { get; set; }

    public required string MktSegment { get; set; }

    public required string Comment { get; set; }
}
