namespace TpcH.Dbgen;

public sealed class CustomerGenerator(GeneratorInputs inputs, long firstRow) : RowGenerator<CustomerRow>
{
    private AddressStream address = new(Streams.CustomerAddress, firstRow);
    private RandomStream nation = new(Streams.CustomerNation, firstRow);
    private PhoneStream phone = new(Streams.CustomerPhone, firstRow);
    private AccountBalanceStream balance = new(Streams.CustomerBalance, firstRow);
    private RandomStream segment = new(Streams.CustomerSegment, firstRow);
    private RandomStream comment = new(Streams.CustomerComment, firstRow);
    private int key = (int)firstRow + 1;

    public override int Generate(Span<CustomerRow> rows)
    {
        int nationKey = nation.Between(0, inputs.Lists.Nations.Count - 1);
        rows[0] = new CustomerRow(
            key,
            NumberedName.Of("Customer", key),
            address.Next(),
            nationKey,
            phone.Next(nationKey),
            balance.Next(),
            inputs.Lists.Segments.Pick(ref segment),
            inputs.Text.Comment(ref comment, CommentLength.Customer));
        key++;
        nation.EndRow();
        segment.EndRow();
        comment.EndRow();
        return 1;
    }
}
