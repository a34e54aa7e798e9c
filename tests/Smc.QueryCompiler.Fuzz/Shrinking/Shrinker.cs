using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Running;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Shrinking;

/// <summary>A failure and the schema it is about.</summary>
internal sealed record FuzzFailure(DatabaseSchema Schema, CompiledForm Form, QueryVerdict Verdict);

/// <summary>Makes a failure small: the query first, then its rows, then the columns that nothing names.</summary>
internal sealed class Shrinker(Func<string, string>? mutation, CancellationToken cancellation)
{
    private const int CandidatesAtOnce = 40;

    public FuzzFailure Shrink(FuzzFailure failure)
    {
        if (failure.Verdict.Verdict == Verdict.Hangs)
            return failure;
        while (!cancellation.IsCancellationRequested && TrySimplify(failure) is { } simpler)
            failure = simpler;
        if (failure.Verdict.Verdict is Verdict.Differs or Verdict.DiffersOnThreads or Verdict.Faults)
            failure = DropRows(failure);
        return DropColumns(failure);
    }

    private FuzzFailure? TrySimplify(FuzzFailure failure)
    {
        IReadOnlyList<Dataset> datasets = failure.Verdict.Data is { } data ? [data] : [];
        foreach (RandomQueryCase[] candidates in QuerySimplifier.Simpler(failure.Verdict.Case).Chunk(CandidatesAtOnce))
        {
            if (cancellation.IsCancellationRequested)
                return null;
            using CompiledBatch batch = new(failure.Schema, candidates, failure.Form, mutation);
            if (BatchRunner.Run(batch, failure.Schema, datasets).FirstOrDefault(v => v.IsFailure && v.FailureKind == failure.Verdict.FailureKind) is { } smaller)
                return failure with { Verdict = smaller };
        }

        return null;
    }

    private FuzzFailure DropRows(FuzzFailure failure)
    {
        using CompiledBatch batch = new(failure.Schema, [failure.Verdict.Case], failure.Form, mutation);
        if (batch.Assembly is null)
            return failure;
        bool hasChanged = true;
        for (int share = 2; hasChanged || share < failure.Verdict.Data!.RowCount; share = Math.Min(share * 2, Math.Max(2, failure.Verdict.Data!.RowCount)))
        {
            hasChanged = false;
            (string Table, int Row)[] rows = [.. failure.Verdict.Data!.Rows.SelectMany(t => t.Value.Index().Where(r => r.Item is not null).Select(r => (t.Key, r.Index)))];
            foreach ((string Table, int Row)[] dropped in rows.Chunk(Math.Max(1, rows.Length / share)))
            {
                Dataset smaller = Without(failure.Verdict.Data!, dropped);
                using LoadedDatabase database = new(batch.Assembly, failure.Schema, smaller);
                QueryVerdict verdict = BatchRunner.Compare(batch, 0, database, smaller);
                if (verdict.Verdict == failure.Verdict.Verdict)
                {
                    failure = failure with { Verdict = verdict };
                    hasChanged = true;
                }
            }

            if (cancellation.IsCancellationRequested || (!hasChanged && share >= failure.Verdict.Data!.RowCount))
                break;
        }

        return failure;
    }

    private static Dataset Without(Dataset data, (string Table, int Row)[] dropped) => data with
    {
        Rows = data.Rows.ToDictionary(t => t.Key, t => (IReadOnlyList<RowHistory?>)[.. t.Value.Select((h, i) => dropped.Contains((t.Key, i)) ? null : h)]),
    };

    private FuzzFailure DropColumns(FuzzFailure failure)
    {
        string text = failure.Verdict.Case.Query.Text;
        DatabaseSchema schema = new([.. failure.Schema.Tables.Select(t => t with { Columns = [.. t.Columns.Where(c => c.Name == "Id" || text.Contains("." + c.Name, StringComparison.Ordinal))] })]);
        Dataset? data = failure.Verdict.Data is null ? null : failure.Verdict.Data with
        {
            Rows = failure.Verdict.Data.Rows.ToDictionary(t => t.Key, t => (IReadOnlyList<RowHistory?>)[.. t.Value.Select(h => h is null ? null : Narrow(h, failure.Schema.Table(t.Key), schema.Table(t.Key)))]),
        };
        using CompiledBatch batch = new(schema, [failure.Verdict.Case], failure.Form, mutation);
        QueryVerdict verdict = BatchRunner.Run(batch, schema, data is null ? [] : [data])[0];
        return verdict.Verdict == failure.Verdict.Verdict ? failure with { Schema = schema, Verdict = verdict } : failure;
    }

    private static RowHistory Narrow(RowHistory row, TableSchema before, TableSchema after)
    {
        int[] kept = [.. after.Columns.Select(c => before.Columns.Index().First(b => b.Item.Name == c.Name).Index)];
        object?[] Keep(object?[] values) => [.. kept.Select(i => values[i])];
        return row with { Values = Keep(row.Values), Update = row.Update is null ? null : Keep(row.Update) };
    }
}
