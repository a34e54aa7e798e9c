namespace TpcH.Footprint;

/// <summary>What the rows of a table take in one object model, all overheads included.</summary>
internal sealed record TableFootprint(Table Table, string Holder, long Rows, long Bytes)
{
    public double BytesPerRow => Bytes / (double)Rows;
}
