using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>What a kernel sorts: the keys of an element beside where the element is. Generated per query.</summary>
/// <typeparam name="TSelf">The row itself.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ISortRow<TSelf>
    where TSelf : unmanaged, ISortRow<TSelf>
{
    /// <summary>Compares by all keys as the query orders them.</summary>
    /// <param name="left">A row.</param>
    /// <param name="right">Another row.</param>
    /// <param name="texts">The strings that rows refer to by number; null when no key is a string.</param>
    static abstract int Compare(in TSelf left, in TSelf right, SortTexts? texts);
}
