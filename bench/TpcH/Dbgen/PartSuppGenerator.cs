namespace TpcH.Dbgen;

public sealed class PartSuppGenerator(GeneratorInputs inputs, long firstPart) : RowGenerator<PartSuppRow>
{
    private readonly int suppliers = inputs.Scale.Suppliers;
    private RandomStream availQty = new(Streams.PartSuppAvailQty, firstPart);
    private RandomStream supplyCost = new(Streams.PartSuppSupplyCost, firstPart);
    private RandomStream comment = new(Streams.PartSuppComment, firstPart);
    private int partKey = (int)firstPart + 1;

    public override int Generate(Span<PartSuppRow> rows)
    {
        for (int i = 0; i < SupplierOfPart.PerPart; i++)
            rows[i] = Next(i);
        partKey++;
        availQty.EndRow();
        supplyCost.EndRow();
        comment.EndRow();
        return SupplierOfPart.PerPart;
    }

    private PartSuppRow Next(int index) => new(
        partKey,
        SupplierOfPart.Key(partKey, index, suppliers),
        availQty.Between(1, 9999),
        Hundredths.ToDecimal(supplyCost.Between(100, 100_000)),
        inputs.Text.Comment(ref comment, CommentLength.PartSupp));
}
