using System.Globalization;

namespace TpcH.Dbgen;

/// <summary>
/// A scale factor as dbgen acts on it: whole numbers from 1 on, whole thousandths below. It fixes the number of rows of every table.
/// </summary>
public readonly record struct ScaleFactor
{
    /// <summary>Beyond it part keys no longer fit in 32 bits.</summary>
    public const int Maximum = 10_000;

    private const int MinimumClerks = 1000;
    private const int OrdersAtScaleOne = 1_500_000;

    public ScaleFactor(double value)
    {
        if (!(value > 0 && value <= Maximum))
            throw new ArgumentOutOfRangeException(nameof(value), value, $"The scale factor must be above 0 and at most {Maximum}.");
        Thousandths = value >= 1 ? 1000 * (long)value : (long)(1000 * value);
    }

    /// <summary>The scale factor in thousandths; 0 below 0.001, where every scaled table has one row.</summary>
    public long Thousandths { get; }

    public int Parts => Rows(200_000);

    public int Suppliers => Rows(10_000);

    public int Customers => Rows(150_000);

    public long Orders => LongRows(OrdersAtScaleOne);

    /// <summary>Orders that a refresh set inserts, and as many that it deletes: a thousandth, in steps of ten below scale factor 1.</summary>
    public int OrdersPerRefresh => checked((int)(Math.Min(Orders, OrdersAtScaleOne) / 10_000 * Math.Max(1, Thousandths / 1000) * 10));

    public int Clerks => (int)Math.Max(MinimumClerks, Thousandths);

    public override string ToString() => (Thousandths / 1000m).ToString("0.###", CultureInfo.InvariantCulture);

    private int Rows(int atScaleOne) => checked((int)LongRows(atScaleOne));

    // In integers: in doubles 200,000 x 0.009 is 1799, dbgen makes 1800.
    private long LongRows(int atScaleOne) => Math.Max(1, atScaleOne * Thousandths / 1000);
}
