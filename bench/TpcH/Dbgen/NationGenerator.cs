namespace TpcH.Dbgen;

public sealed class NationGenerator(GeneratorInputs inputs, long firstRow) : RowGenerator<NationRow>
{
    private RandomStream comment = new(Streams.NationComment, firstRow);
    private int key = (int)firstRow;
    private int regionKey = inputs.Lists.Nations.Take((int)firstRow).Sum(nation => nation.Weight);

    public override int Generate(Span<NationRow> rows)
    {
        WeightedItem<string> nation = inputs.Lists.Nations[key];
        regionKey += nation.Weight;
        rows[0] = new NationRow(key, nation.Item, regionKey, inputs.Text.Comment(ref comment, CommentLength.Nation));
        key++;
        comment.EndRow();
        return 1;
    }
}
