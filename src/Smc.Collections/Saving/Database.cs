using System.Diagnostics.CodeAnalysis;
using Smc.Collections.Saving;

namespace Smc.Collections;

/// <summary>
/// Collections that were loaded from one file, with the references between them. The static methods save collections to a file and load them.
/// </summary>
/// <remarks>
/// <code>
/// Database.Save("shop.smc", orders, lines);
/// using Database shop = Database.Load("shop.smc", RowType.Of&lt;Line>());
/// Collection&lt;Order> orders = shop.Get&lt;Order>();
/// </code>
/// Thread safety: all members may be called by any number of threads at once.
/// </remarks>
public sealed partial class Database : IDisposable
{
    private readonly IRowOwner[] _collections;

    internal Database(IRowOwner[] collections, DateTime moment, IReadOnlyList<SkippedData> skipped)
    {
        _collections = collections;
        Moment = new DateTimeOffset(moment);
        Skipped = skipped;
    }

    /// <summary>When the collections were saved.</summary>
    public DateTimeOffset Moment { get; }

    /// <summary>The collections, in the order in which they were saved.</summary>
    public IReadOnlyList<IRowCollection> Collections => _collections;

    /// <summary>What the file has and no row type has a place for: collections, properties and indexes.</summary>
    public IReadOnlyList<SkippedData> Skipped { get; }

    /// <summary>The collection of a row type.</summary>
    /// <typeparam name="T">The row type.</typeparam>
    /// <exception cref="InvalidOperationException">There is none, or there are several: name it then.</exception>
    public Collection<T> Get<T>()
        where T : unmanaged
    {
        Collection<T>[] found = [.. _collections.OfType<Collection<T>>()];
        return found.Length switch
        {
            1 => found[0],
            0 => throw new InvalidOperationException($"The file has no collection of {typeof(T).Name}, or it was loaded without this row type."),
            _ => throw new InvalidOperationException($"The file has {found.Length} collections of {typeof(T).Name}: {string.Join(", ", found.Select(static collection => $"'{collection.Name}'"))}. Name one of them."),
        };
    }

    /// <summary>The collection of a row type and a name.</summary>
    /// <param name="name">The name that the collection had when it was saved.</param>
    /// <typeparam name="T">The row type.</typeparam>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    public Collection<T> Get<T>(string name)
        where T : unmanaged => TryGet(name, out Collection<T>? collection)
            ? collection
            : throw new InvalidOperationException($"The file has no collection '{name}' of {typeof(T).Name}, or it was loaded without this row type.");

    /// <summary>The collection of a row type and a name, if there is one.</summary>
    /// <param name="name">The name that the collection had when it was saved.</param>
    /// <param name="collection">The collection.</param>
    /// <typeparam name="T">The row type.</typeparam>
    public bool TryGet<T>(string name, [NotNullWhen(true)] out Collection<T>? collection)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(name);
        collection = _collections.OfType<Collection<T>>().FirstOrDefault(found => string.Equals(found.Name, name, StringComparison.Ordinal));
        return collection is not null;
    }

    /// <summary>Disposes all collections.</summary>
    public void Dispose()
    {
        foreach (IRowOwner collection in _collections)
            collection.Dispose();
    }
}
