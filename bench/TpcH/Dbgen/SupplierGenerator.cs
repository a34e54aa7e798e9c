namespace TpcH.Dbgen;

public sealed class SupplierGenerator(GeneratorInputs inputs, long firstRow) : RowGenerator<SupplierRow>
{
    private AddressStream address = new(Streams.SupplierAddress, firstRow);
    private RandomStream nation = new(Streams.SupplierNation, firstRow);
    private PhoneStream phone = new(Streams.SupplierPhone, firstRow);
    private AccountBalanceStream balance = new(Streams.SupplierBalance, firstRow);
    private SupplierCommentStream comment = new(inputs.Text, firstRow);
    private int key = (int)firstRow + 1;

    public override int Generate(Span<SupplierRow> rows)
    {
        int nationKey = nation.Between(0, inputs.Lists.Nations.Count - 1);
        rows[0] = new SupplierRow(
            key,
            NumberedName.Of("Supplier", key),
            address.Next(),
            nationKey,
            phone.Next(nationKey),
            balance.Next(),
            comment.Next());
        key++;
        nation.EndRow();
        return 1;
    }
}
