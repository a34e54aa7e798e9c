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

    public double WorstRatio => _times.Keys.Where(world => world != AgedWorld.Fresh).Max(Ratio) ?? 0;

    public void Add(AgedWorld world, AgedTime time) => _times.Add(world, time);

    /// <summary>The time in this world for one of the fresh run; null when one of them was not timed.</summary>
    public double? Ratio(AgedWorld world) => _times[world].MinimumMs / _times[AgedWorld.Fresh].MinimumMs;
}
