namespace Smc.Collections;

/// <summary>A <see cref="Collection{T}"/>, whatever its row type: for what takes several collections, such as <see cref="Database.Save(string, ReadOnlySpan{IRowCollection})"/>.</summary>
/// <remarks>Only <see cref="Collection{T}"/> implements it.</remarks>
public interface IRowCollection : IDisposable
{
    /// <summary>The name of the collection.</summary>
    string Name { get; }

    /// <summary>The number of rows at this moment.</summary>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    long LongCount { get; }

    /// <summary>The type of its rows.</summary>
    RowType RowType { get; }
}
