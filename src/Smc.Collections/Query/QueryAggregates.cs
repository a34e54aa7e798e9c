using System.Linq.Expressions;

namespace Smc.Collections;

/// <summary>Sums and averages of queries whose elements are numbers.</summary>
public static class QueryAggregates
{
    /// <inheritdoc cref="Enumerable.Sum(IEnumerable{int})"/>
    public static int Sum(this Query<int> source) => Given(source).Ends(nameof(Sum), rows => rows.Sum());

    /// <inheritdoc cref="Enumerable.Sum(IEnumerable{int?})"/>
    public static int? Sum(this Query<int?> source) => Given(source).Ends(nameof(Sum), rows => rows.Sum());

    /// <inheritdoc cref="Enumerable.Sum(IEnumerable{long})"/>
    public static long Sum(this Query<long> source) => Given(source).Ends(nameof(Sum), rows => rows.Sum());

    /// <inheritdoc cref="Enumerable.Sum(IEnumerable{long?})"/>
    public static long? Sum(this Query<long?> source) => Given(source).Ends(nameof(Sum), rows => rows.Sum());

    /// <inheritdoc cref="Enumerable.Sum(IEnumerable{float})"/>
    public static float Sum(this Query<float> source) => Given(source).Ends(nameof(Sum), rows => rows.Sum());

    /// <inheritdoc cref="Enumerable.Sum(IEnumerable{float?})"/>
    public static float? Sum(this Query<float?> source) => Given(source).Ends(nameof(Sum), rows => rows.Sum());

    /// <inheritdoc cref="Enumerable.Sum(IEnumerable{double})"/>
    public static double Sum(this Query<double> source) => Given(source).Ends(nameof(Sum), rows => rows.Sum());

    /// <inheritdoc cref="Enumerable.Sum(IEnumerable{double?})"/>
    public static double? Sum(this Query<double?> source) => Given(source).Ends(nameof(Sum), rows => rows.Sum());

    /// <inheritdoc cref="Enumerable.Sum(IEnumerable{decimal})"/>
    public static decimal Sum(this Query<decimal> source) => Given(source).Ends(nameof(Sum), rows => rows.Sum());

    /// <inheritdoc cref="Enumerable.Sum(IEnumerable{decimal?})"/>
    public static decimal? Sum(this Query<decimal?> source) => Given(source).Ends(nameof(Sum), rows => rows.Sum());

    /// <inheritdoc cref="Enumerable.Average(IEnumerable{int})"/>
    public static double Average(this Query<int> source) => Given(source).Ends(nameof(Average), rows => rows.Average());

    /// <inheritdoc cref="Enumerable.Average(IEnumerable{int?})"/>
    public static double? Average(this Query<int?> source) => Given(source).Ends(nameof(Average), rows => rows.Average());

    /// <inheritdoc cref="Enumerable.Average(IEnumerable{long})"/>
    public static double Average(this Query<long> source) => Given(source).Ends(nameof(Average), rows => rows.Average());

    /// <inheritdoc cref="Enumerable.Average(IEnumerable{long?})"/>
    public static double? Average(this Query<long?> source) => Given(source).Ends(nameof(Average), rows => rows.Average());

    /// <inheritdoc cref="Enumerable.Average(IEnumerable{float})"/>
    public static float Average(this Query<float> source) => Given(source).Ends(nameof(Average), rows => rows.Average());

    /// <inheritdoc cref="Enumerable.Average(IEnumerable{float?})"/>
    public static float? Average(this Query<float?> source) => Given(source).Ends(nameof(Average), rows => rows.Average());

    /// <inheritdoc cref="Enumerable.Average(IEnumerable{double})"/>
    public static double Average(this Query<double> source) => Given(source).Ends(nameof(Average), rows => rows.Average());

    /// <inheritdoc cref="Enumerable.Average(IEnumerable{double?})"/>
    public static double? Average(this Query<double?> source) => Given(source).Ends(nameof(Average), rows => rows.Average());

    /// <inheritdoc cref="Enumerable.Average(IEnumerable{decimal})"/>
    public static decimal Average(this Query<decimal> source) => Given(source).Ends(nameof(Average), rows => rows.Average());

    /// <inheritdoc cref="Enumerable.Average(IEnumerable{decimal?})"/>
    public static decimal? Average(this Query<decimal?> source) => Given(source).Ends(nameof(Average), rows => rows.Average());

    private static Query<T> Given<T>(Query<T> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return source;
    }
}
