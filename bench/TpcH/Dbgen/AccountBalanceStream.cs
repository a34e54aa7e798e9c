namespace TpcH.Dbgen;

/// <summary>Account balances of customers and suppliers: -999.99 to 9999.99.</summary>
internal struct AccountBalanceStream(StreamDefinition definition, long row)
{
    private RandomStream stream = new(definition, row);

    public decimal Next()
    {
        int cents = stream.Between(-99_999, 999_999);
        stream.EndRow();
        return Hundredths.ToDecimal(cents);
    }
}
