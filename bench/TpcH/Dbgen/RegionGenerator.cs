namespace TpcH.Dbgen;

public sealed class RegionGenerator(GeneratorInputs inputs, long firstRow) : RowGenerator<RegionRow>
{
    private RandomStream comment = new(Streams.RegionComment, firstRow);
    private int key = (int)firstRow;

    public override int Generate(Span<RegionRow> rows)
    {
        rows[0] = new RegionRow(key, inputs.Lists.Regions[key].Item, inputs.Text.Comment(ref comment, CommentLength.Region));
        key++;
        comment.EndRow();
        return 1;
    }
}
