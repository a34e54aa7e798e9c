using System.Linq.Expressions;

namespace Smc.Collections;

/// <summary>Comparers that a query names, so that it is compiled once for all its runs. Those of the current culture are not among them: a recorded query has the culture of its recording.</summary>
internal static class KnownComparer
{
    private static readonly (StringComparer Comparer, Expression Name)[] s_known =
    [
        (StringComparer.Ordinal, Member(() => StringComparer.Ordinal)),
        (StringComparer.OrdinalIgnoreCase, Member(() => StringComparer.OrdinalIgnoreCase)),
        (StringComparer.InvariantCulture, Member(() => StringComparer.InvariantCulture)),
        (StringComparer.InvariantCultureIgnoreCase, Member(() => StringComparer.InvariantCultureIgnoreCase)),
    ];

    /// <summary>The static member that gives the comparer; null for any other.</summary>
    public static Expression? Of(object comparer) => Array.Find(s_known, known => ReferenceEquals(known.Comparer, comparer)).Name;

    private static Expression Member(Expression<Func<StringComparer>> read) => read.Body;
}
