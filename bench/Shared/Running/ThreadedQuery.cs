using Smc.Collections;

namespace Bench.Shared;

/// <summary>A query over collections that may use several threads.</summary>
internal sealed class ThreadedQuery(PreparedQuery query, int threads) : PreparedQuery
{
    private readonly QueryOptions _options = new() { DegreeOfParallelism = threads };

    public override void Execute()
    {
        using (Query.Use(_options))
            query.Execute();
    }

    public override Answer ReadAnswer() => query.ReadAnswer();
}
