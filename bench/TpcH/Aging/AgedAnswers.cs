using TpcH.Dbgen;
using TpcH.Engines;
using TpcH.Model;
using TpcH.Reporting;
using TpcH.Running;

namespace TpcH.Aging;

/// <summary>
/// The right answers in every world: LINQ to Objects over lists of objects, or hand-written loops over them where no reference is spoilt, with
/// the same rows removed and the same references null. They are computed before the collections are loaded, and the lists let go.
/// </summary>
internal sealed class AgedAnswers
{
    private readonly Dictionary<string, Answer?> _loaded = [];
    private readonly Dictionary<(AgedWorld World, string Query), Answer?> _aged = [];

    private AgedAnswers()
    {
    }

    /// <summary>The answer, or null where LINQ throws, because it follows a reference that leads nowhere.</summary>
    public Answer? Of(AgedWorld world, JoinStyle joins, QueryDefinition query) =>
        world == AgedWorld.Writer || (world == AgedWorld.BadReferences && joins == JoinStyle.Keys) ? _loaded[query.Name] : _aged[(world, query.Name)];

    public static AgedAnswers Compute(DbgenSource source, IReadOnlyList<QueryDefinition> queries, IProgressDisplay display, CancellationToken cancellationToken)
    {
        using var lists = new Database();
        display.Stage($"scale factor {source.Scale}, lists of objects", stage =>
            DatabaseLoader.Load(source, [lists], new RowProgress(source, stage), cancellationToken));
        return display.Stage("answers over lists of objects in every world", stage =>
        {
            var answers = new AgedAnswers();
            foreach (QueryDefinition query in queries)
                answers._loaded.Add(query.Name, TryAnswer(new LoopEngine(lists), query));
            using (lists.SpoilReferences())
                answers.Add(AgedWorld.BadReferences, new LinqEngine(lists, JoinStyle.References), queries);
            stage.Report(0.5);
            foreach (AgedWorld world in (AgedWorld[])[AgedWorld.OneInHundredRemoved, AgedWorld.HalfRemoved])
            {
                cancellationToken.ThrowIfCancellationRequested();
                lists.Remove(AgedWorlds.LossesOf(world));
                answers.Add(world, new LoopEngine(lists), queries);
            }
            return answers;
        });
    }

    private void Add(AgedWorld world, IEngine engine, IReadOnlyList<QueryDefinition> queries)
    {
        foreach (QueryDefinition query in queries)
            _aged.Add((world, query.Name), TryAnswer(engine, query));
    }

    private static Answer? TryAnswer(IEngine engine, QueryDefinition query)
    {
        try
        {
            PreparedQuery prepared = engine.Prepare(query.ReadParameters(ParameterFile.Standard.For(query.Name)));
            prepared.Execute();
            return prepared.ReadAnswer();
        }
        catch (NullReferenceException)
        {
            return null;
        }
    }
}
