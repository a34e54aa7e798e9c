using System.Diagnostics;
using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Running;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>A compiled query that is asked while rows change.</summary>
internal sealed class AskedQuery
{
    private const int RunsInDoubt = 5_000;
    private const int ChangesInDoubt = 50_000;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly RandomBatch _batch;
    private readonly RandomQueryCase _case;
    private readonly Func<object?[], object?> _ask;
    private readonly AnswerWriter _writer;

    public AskedQuery(RandomBatch batch, int index, Func<object?[], object?> ask)
    {
        _batch = batch;
        _case = batch.Cases[index];
        _ask = ask;
        NodeOrder order = OrderAnalysis.Of(_case.Query);
        _writer = new AnswerWriter(
            order.Own > ElementOrder.Any, order.Inner > ElementOrder.Any, hasKeys: !_case.Query.All.Any(n => n.Template.StartsWith("$0.GroupJoin(", StringComparison.Ordinal)));
        Tables = CompiledBatch.Tables(batch.Schema, _case);
        Text = _case.Query.Text;
    }

    public string Text { get; }

    /// <summary>The tables that it is given.</summary>
    public IReadOnlyList<TableSchema> Tables { get; }

    /// <summary>What holds for its result while values change, and rows perhaps come and go.</summary>
    public Facts Facts(bool addsAndRemoves, IReadOnlyDictionary<string, int> counts) =>
        new FactAnalysis(_batch.Schema, counts.ToDictionary(c => c.Key, c => new Bounds(c.Value, addsAndRemoves ? long.MaxValue : c.Value))).Of(_case.Query);

    public Outcome Run(ChangingTables tables, bool asKernel) =>
        Outcome.Of(() => _ask([.. Tables.Select(t => tables.Rows(t.Name, isCollection: asKernel)), .. _case.Parameters.Select(p => p.Value)]));

    public Answer Write(Outcome outcome) => _writer.Write(outcome);

    public bool CanRaise(Exception exception, bool rowsAreRemoved) => PossibleExceptions.CanRaise(_case.Query, _batch.Form.IsChecked, rowsAreRemoved, exception);

    /// <summary>Whether LINQ to Objects gives this answer whatever moments it sees. Not known when the machine is too busy for enough of them.</summary>
    public bool IsAlwaysByLinq(ChangingTables tables, RowWriter writer, Answer expected)
    {
        long begin = Stopwatch.GetTimestamp();
        long changes = writer.Changes + ChangesInDoubt;
        Random random = new(0);
        for (int run = 0; run < RunsInDoubt || writer.Changes < changes; run++)
        {
            // The writer, where it has no processor of its own, makes all its changes between two of these runs: then most of them would see one moment.
            tables.Change(random);
            if (Write(Run(tables, asKernel: false)) != expected || Stopwatch.GetElapsedTime(begin) > s_patience)
                return false;
        }

        return true;
    }
}
