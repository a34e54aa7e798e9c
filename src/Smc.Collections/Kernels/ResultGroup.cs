using System.Collections.ObjectModel;

namespace Smc.Collections.Kernels;

/// <summary>A group of a result: as LINQ's own, a list that nobody can change.</summary>
internal sealed class ResultGroup<TKey, T>(TKey key, List<T> rows) : ReadOnlyCollection<T>(rows), IGrouping<TKey, T>
{
    public TKey Key => key;
}
