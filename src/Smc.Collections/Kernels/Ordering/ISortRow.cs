using System.ComponentModel;

namespace Smc.Collections.Kernels;

/// <summary>What a kernel sorts: the keys of an element beside where the element is. Generated per query.</summary>
/// <typeparam name="TSelf">The row itself.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface ISortRow<TSelf>
    where TSelf : unmanaged, ISortRow<TSelf>
{
    /// <summary>The number of keys, if all of them are whole numbers (see <see cref="WholeKey"/>); 0 if one is not.</summary>
    static virtual int WholeKeys => 0;

    /// <summary>Compares by all keys as the query orders them.</summary>
    /// <param name="left">A row.</param>
    /// <param name="right">Another row.</param>
    /// <param name="texts">The strings that rows refer to by number; null when no key is a string.</param>
    static abstract int Compare(in TSelf left, in TSelf right, SortTexts? texts);

    /// <summary>A key as a number of which the lesser one comes first: of a text its rank, of a descending key the complement.</summary>
    /// <param name="row">A row.</param>
    /// <param name="key">The number of the key, below <see cref="WholeKeys"/>.</param>
    /// <param name="texts">As in <see cref="Compare"/>; they have ranks.</param>
    static virtual long WholeKey(in TSelf row, int key, SortTexts? texts) => throw new NotSupportedException("Not all keys of this row are whole numbers.");
}
