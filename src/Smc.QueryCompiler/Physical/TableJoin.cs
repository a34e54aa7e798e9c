using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>A join by a table of its right side, which is made first, in which each element of the left looks its key up.</summary>
/// <param name="Join">The join.</param>
/// <param name="Keys">The keys of the right side, as they are compared.</param>
/// <param name="Table">The form of the table.</param>
/// <param name="Filters">Filters that are made of its keys.</param>
/// <param name="AsksPresence">Whether it is all that counts whether there is a partner, so that a filter of the one key tells where it is exact.</param>
/// <param name="IndexKeys">Those keys, all or some of which an index of the right side may look up instead; none if there is no such way.</param>
internal sealed record TableJoin(
    Join Join, IReadOnlyList<ScalarExpression> Keys, JoinTableForm Table, IReadOnlyList<JoinFilter> Filters, bool AsksPresence, IReadOnlyList<ScalarExpression> IndexKeys) : PhysicalOperator
{
    /// <summary>Rows of the right side are kept as locations.</summary>
    public override bool KeepsOnlyValues => false;

    public override IEnumerable<string> Describe()
    {
        if (IndexKeys.Count > 0)
        {
            string columns = (IndexKeys.Count == 1 ? "" : "some or all of ") + string.Join(", ", IndexKeys.Select(PlanPrinter.Print));
            yield return $"no table, but each key by an index of the right side on {columns}, if there is one and this is cheaper";
        }

        string keys = string.Join(", ", Keys.Select(PlanPrinter.Print));
        string table = Table switch
        {
            JoinTableForm.Array => "by an array where the keys lie close together, else by hash",
            JoinTableForm.DenseIds => "by dense id",
            _ => "by hash",
        };
        yield return AsksPresence ? $"only whether {keys} is on the right: a bit for each where they lie close together" : $"the right side in a table, {table} of {keys}";
    }
}

/// <summary>Forms of the table of a join.</summary>
internal enum JoinTableForm
{
    /// <summary>By hash.</summary>
    Hash,

    /// <summary>By an array where the integers lie close together when the query runs, else by hash.</summary>
    Array,

    /// <summary>By the dense id of the rows that the one key leads to.</summary>
    DenseIds,
}

/// <summary>A filter of the values that one key has on the right side of a join.</summary>
/// <param name="Key">The number of the key.</param>
/// <param name="Scanned">The column of a scan that drops the rows whose value is not in it; null where only the join itself asks.</param>
internal sealed record JoinFilter(int Key, ColumnRead? Scanned);

/// <summary>Keys of selected rows are asked for in the table of a join, before the loop that looks them up.</summary>
internal sealed record PartnersAskedAhead : PhysicalOperator
{
    public override bool KeepsOnlyValues => true;

    public override IEnumerable<string> Describe() => ["partners are asked for a batch ahead where the table is large"];
}
