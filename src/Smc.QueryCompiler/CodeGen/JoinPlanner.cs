using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Decides how a join is gone about.</summary>
internal sealed class JoinPlanner(KernelScope scope, Join join, JoinKeys keys)
{
    /// <summary>Makes the plan of the join.</summary>
    /// <param name="mayFilter">Whether filters can be made of its keys: in the fast variant, at its top.</param>
    /// <param name="asked">Filters that a join above asks for.</param>
    /// <param name="indexKeys">The keys that may be looked up in an index.</param>
    public TableJoin Make(bool mayFilter, IReadOnlyList<JoinFilter> asked, IReadOnlyList<ScalarExpression> indexKeys)
    {
        bool asksPresence = mayFilter && join.Kind is JoinKind.Semi or JoinKind.Anti && join.Residual is null && keys.IsOneWord && (keys.Left[0].IsInteger || keys.AreRows);
        List<JoinFilter> filters = [.. asked];
        if (mayFilter)
            filters.AddRange(OfScans());
        if (asksPresence && !filters.Exists(filter => filter.Key == 0))
            filters.Add(new JoinFilter(0, null));
        return new TableJoin(join, [.. keys.All.Select(key => key.Right)], Table, filters, asksPresence, indexKeys);
    }

    /// <summary>Whether not all rows of a collection are on the right: then nearly all on the left would have partners.</summary>
    public bool IsSelective => join.Right is not Scan scan || join.Kind == JoinKind.Semi || scope.KeyFilters.Of(scan.Variable).Any();

    private JoinTableForm Table => !keys.IsOneWord ? JoinTableForm.Hash : keys.Left[0].IsInteger ? JoinTableForm.Array : keys.Left[0].IsHandle ? JoinTableForm.DenseIds : JoinTableForm.Hash;

    /// <summary>Filters for scans on the left. An element of theirs without a partner must not count.</summary>
    private IEnumerable<JoinFilter> OfScans()
    {
        if (join.Kind is not (JoinKind.Inner or JoinKind.Semi) || !IsSelective)
            yield break;
        for (int i = 0; i < keys.All.Count; i++)
        {
            if (keys.Left[i].IsInteger && scope.KeyFilters.Find(join.Left, keys.All[i].Left) is { } column)
                yield return new JoinFilter(i, column);
        }
    }
}
