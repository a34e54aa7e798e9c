namespace TpcH.Aging;

/// <summary>One query in all worlds.</summary>
internal sealed class AgedQuery(QueryDefinition query, JoinStyle joins)
{
    /// <summary>How much longer than over fresh, quiet collections a query may take.</summary>
    public const double Goal = 1.3;

    private readonly Dictionary<AgedWorld, AgedTime> _times = [];

    public QueryDefinition Query => query;

    public JoinStyle Joins => joins;

    public IReadOnlyDictionary<AgedWorld, AgedTime> Times => _times;

    public bool IsRight => _times.Values.All(time => time.Problem is null);

    public double? FreshMs => _times.Values.Min(time => time.FreshMs);

    public double WorstRatio => _times.Values.Max(time => time.Ratio) ?? 0;

    public void Add(AgedWorld world, AgedTime time) => _times.Add(world, time);
}
