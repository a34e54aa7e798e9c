using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Smc.Collections.Indexes;
using Smc.Memory;

namespace Smc.Collections;

/// <content>Indexes.</content>
public sealed partial class Collection<T>
{
    /// <summary>Creates an index that finds rows by key. From then on a second row with the same key is refused.</summary>
    /// <remarks>
    /// Other threads may read and write meanwhile. Creating an index takes some hundred nanoseconds a row; a large index takes about 16 bytes a row.
    /// The call waits for queries of other threads that are running when it begins and when it ends.
    /// </remarks>
    /// <param name="keySelector">The key: one property, <c>o => o.Key</c>, or up to seven, <c>o => ValueTuple.Create(o.Year, o.Number)</c>.</param>
    /// <param name="name">The name in exception messages; if null, the names of the collection and the properties.</param>
    /// <param name="progress">Receives the number of rows indexed so far; may be null.</param>
    /// <param name="cancellationToken">Cancels the creation; the collection has not changed.</param>
    /// <typeparam name="TKey">The type of the property, or of the value tuple.</typeparam>
    /// <exception cref="ArgumentException">The key is not a property, or its type cannot be indexed.</exception>
    /// <exception cref="DuplicateKeyException">Two rows have the same key; no index is created.</exception>
    /// <exception cref="InvalidOperationException">The call comes from inside an initialiser of <see cref="AddNew(Action{T})"/> or another critical section.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The manager's limit or the system's memory is used up; no index is created.</exception>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    public UniqueIndex<T, TKey> CreateUniqueIndex<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TKey>(
        Expression<Func<T, TKey>> keySelector, string? name = null, IProgress<long>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(keySelector);
        MemoryContext context = OpenContext();
        KeyPart[] parts = KeySelector.Read(keySelector, _schema.Layout);
        if (Smc.Memory.Epoch.IsInsideSection)
            throw new InvalidOperationException("An index is created outside of initialisers and critical sections: it would wait for the caller's own.");
        KeyedIndex<T> index = new(context, name ?? NameOf(parts), parts, typeof(TKey), isDeclared: false);
        new IndexBuilder(index, progress, cancellationToken).Build();
        return new UniqueIndex<T, TKey>(index);
    }

    /// <summary>Does the same as <see cref="CreateUniqueIndex{TKey}"/>, on a thread-pool thread.</summary>
    /// <inheritdoc cref="CreateUniqueIndex{TKey}" path="/remarks|/param|/typeparam|/exception"/>
    public Task<UniqueIndex<T, TKey>> CreateUniqueIndexAsync<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TKey>(
        Expression<Func<T, TKey>> keySelector, string? name = null, IProgress<long>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(keySelector);
        OpenContext();
        KeySelector.Read(keySelector, _schema.Layout);
        return Task.Run(() => CreateUniqueIndex(keySelector, name, progress, cancellationToken), cancellationToken);
    }

    /// <summary>Returns the unique index on a key: one that the row type declares (<see cref="KeyAttribute"/>, <see cref="UniqueAttribute"/>), or one that was created.</summary>
    /// <remarks>Call it once and keep the result: each call analyses the selector.</remarks>
    /// <param name="keySelector">The key, as for <see cref="CreateUniqueIndex{TKey}"/>, with its properties in the same order.</param>
    /// <typeparam name="TKey">The type of the property, or of the value tuple.</typeparam>
    /// <exception cref="ArgumentException">The key is not a property, or its type cannot be indexed.</exception>
    /// <exception cref="InvalidOperationException">There is no such index.</exception>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    public UniqueIndex<T, TKey> GetUniqueIndex<TKey>(Expression<Func<T, TKey>> keySelector)
    {
        ArgumentNullException.ThrowIfNull(keySelector);
        MemoryContext context = OpenContext();
        KeyPart[] parts = KeySelector.Read(keySelector, _schema.Layout);
        foreach (RowIndex index in context.Indexes ?? [])
        {
            if (index is KeyedIndex { IsComplete: true } keyed && keyed.Parts.Select(part => part.Offset).SequenceEqual(parts.Select(part => part.Offset)))
                return new UniqueIndex<T, TKey>(keyed);
        }

        throw new InvalidOperationException(
            $"Collection '{Name}' has no unique index on {string.Join(" and ", parts.Select(part => part.Name))}. Declare it with [Key] or [Unique], or create it with CreateUniqueIndex.");
    }

    // Nobody has the collection yet, so the indexes are complete at once.
    private void AddDeclaredIndexes()
    {
        try
        {
            foreach (DeclaredKey key in _schema.Keys)
            {
                KeyedIndex<T> index = new(_context, NameOf(key.Parts), key.Parts, key.KeyType, isDeclared: true);
                _context.AddIndex(index);
                index.BecomeStrict();
                index.BecomeComplete();
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    private string NameOf(KeyPart[] parts) => $"{Name}.{string.Join('+', parts.Select(part => part.Name))}";
}
