namespace Smc.Stress.Change;

/// <summary>Checks of answers; what they throw says what was found and what is there.</summary>
internal static class Answers
{
    public static void Count(long found, long rows, string what = "the query") =>
        ViolationException.Require(found == rows, $"{what} counts {found:N0} rows, there are {rows:N0}");

    /// <summary>Every row is in one group, no key has two, and every key was stored at some time.</summary>
    public static void Groups<TKey>(IReadOnlyCollection<(TKey Key, int Count)> groups, long rows, Func<TKey, bool> wasStored)
    {
        HashSet<TKey> keys = [];
        foreach ((TKey key, _) in groups)
        {
            ViolationException.Require(wasStored(key), $"there is a group '{key}', which no row ever had");
            ViolationException.Require(keys.Add(key), $"the key '{key}' has two groups");
        }
        long counted = groups.Sum(static group => (long)group.Count);
        ViolationException.Require(counted == rows, $"group counts add up to {counted:N0}, there are {rows:N0} rows");
        ViolationException.Require(groups.All(static group => group.Count > 0), "a group has no row");
    }

    /// <summary>No value comes twice, all were stored at some time, and values of rows that nobody changes are there.</summary>
    public static void Distinct<T>(IReadOnlyCollection<T> values, Func<T, bool> wasStored, params ReadOnlySpan<T> staying)
    {
        HashSet<T> seen = [];
        foreach (T value in values)
        {
            ViolationException.Require(wasStored(value), $"the distinct values hold '{value}', which no row ever had");
            ViolationException.Require(seen.Add(value), $"the distinct values hold '{value}' twice");
        }
        foreach (T value in staying)
            ViolationException.Require(seen.Contains(value), $"the distinct values lack '{value}', which a row has all the time");
    }

    /// <summary>Values of all rows, each of which was stored at some time.</summary>
    public static void Values<T>(IReadOnlyCollection<T> values, long rows, Func<T, bool> wasStored)
    {
        Count(values.Count, rows);
        foreach (T value in values)
            ViolationException.Require(wasStored(value), $"the result holds '{value}', which no row ever had");
    }

    /// <summary>Values rise from one to the next.</summary>
    public static void Ascending<T>(IReadOnlyList<T> values, long rows, Comparison<T> compare)
    {
        Count(values.Count, rows);
        for (int i = 1; i < values.Count; i++)
            ViolationException.Require(compare(values[i - 1], values[i]) <= 0, $"'{values[i]}' comes after '{values[i - 1]}' in ascending order");
    }

    /// <summary>A sum over rows of which each holds either of two values.</summary>
    public static void Sum(Int128 sum, Int128 low, Int128 high, long rows)
    {
        Int128 raised = sum - (low * rows), step = high - low;
        ViolationException.Require(
            raised % step == 0 && raised >= 0 && raised <= step * rows,
            $"the sum is {sum}, which {rows:N0} rows with {low} or {high} cannot add up to");
    }
}
