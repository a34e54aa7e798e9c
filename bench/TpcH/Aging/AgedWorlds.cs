namespace TpcH.Aging;

/// <summary>Names of worlds, and what makes them.</summary>
internal static class AgedWorlds
{
    /// <summary>In the order in which one collection can go through them.</summary>
    public static IReadOnlyList<AgedWorld> All { get; } = [AgedWorld.Writer, AgedWorld.BadReferences, AgedWorld.OneInHundredRemoved, AgedWorld.HalfRemoved];

    public static string NameOf(AgedWorld world) => world switch
    {
        AgedWorld.Writer => "writer",
        AgedWorld.BadReferences => "references",
        AgedWorld.OneInHundredRemoved => "removed-1",
        AgedWorld.HalfRemoved => "removed-50",
        _ => throw new ArgumentOutOfRangeException(nameof(world), world, "No such world."),
    };

    public static AgedWorld Named(string name) => All.Single(world => NameOf(world) == name);

    public static Losses LossesOf(AgedWorld world) => new(world == AgedWorld.OneInHundredRemoved ? 0.01 : 0.5);
}
