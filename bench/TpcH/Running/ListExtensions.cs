namespace TpcH.Running;

internal static class ListExtensions
{
    /// <summary>The position of the first equal element, or -1.</summary>
    public static int IndexOf<T>(this IReadOnlyList<T> list, T value)
    {
        for (int i = 0; i < list.Count; i++)
        {
            if (EqualityComparer<T>.Default.Equals(list[i], value))
                return i;
        }
        return -1;
    }
}
