namespace TpcH.Dbgen;

/// <summary>
/// Generates the rows of one table from a given unit on. A unit is what takes one row of the random streams:
/// a row, but for partsupp a part with its four suppliers, and for lineitem an order with its lines.
/// </summary>
public abstract class RowGenerator<TRow>
{
    /// <summary>Writes the rows of the next unit and returns how many they are.</summary>
    public abstract int Generate(Span<TRow> rows);
}
