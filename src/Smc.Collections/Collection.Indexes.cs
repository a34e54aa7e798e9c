using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Smc.Collections.Indexes;
using Smc.Collections.Removing;
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
        RequireNoSection();
        HashIndex index = new(OpenContext(), Describe(keySelector, name), IndexedColumns<T>.Remove);
        Build(index, threads: 1, progress, cancellationToken);
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
        return FindIndex<HashIndex>(context, parts) is { } index
            ? new UniqueIndex<T, TKey>(index)
            : throw new InvalidOperationException(
                $"Collection '{Name}' has no unique index on {NamesOf(parts, " and ")}. Declare it with [Key] or [Unique], or create it with CreateUniqueIndex.");
    }

    /// <summary>Creates an index in the order of a key, which finds rows by ranges of it. Any number of rows may have one key.</summary>
    /// <remarks>
    /// Other threads may go on reading and writing meanwhile. Creating it takes some hundred nanoseconds for each row. A large index takes some 26 bytes for each row whose key has at most four
    /// bytes, and the bytes of longer ones, with 12 to 28 more.
    /// It waits for critical sections of other threads that are open when it begins and when it ends.
    /// </remarks>
    /// <param name="keySelector">The key: one property, <c>o => o.Date</c>, or up to seven as <c>o => ValueTuple.Create(o.Customer, o.Date)</c>.</param>
    /// <param name="name">The name in messages; if null, the names of collection and columns.</param>
    /// <param name="progress">Receives the number of rows that are in the index so far, or null.</param>
    /// <param name="cancellationToken">Gives up; the collection is as before.</param>
    /// <typeparam name="TKey">The type of the property, or of the value tuple.</typeparam>
    /// <exception cref="ArgumentException">The key is no property, or is of a type that cannot be indexed.</exception>
    /// <exception cref="InvalidOperationException">The caller is inside an initialiser of <see cref="AddNew(Action{T})"/> or another critical section.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="OutOfMemoryException">The manager's limit or the system's memory is used up; no index is created.</exception>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    public OrderedIndex<T, TKey> CreateIndex<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TKey>(
        Expression<Func<T, TKey>> keySelector, string? name = null, IProgress<long>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(keySelector);
        RequireNoSection();
        SortedIndex index = new(OpenContext(), Describe(keySelector, name), IndexedColumns<T>.Remove);
        Build(index, threads: 1, progress, cancellationToken);
        return new OrderedIndex<T, TKey>(index);
    }

    /// <summary>As <see cref="CreateIndex{TKey}"/>, on a thread of the pool.</summary>
    /// <inheritdoc cref="CreateIndex{TKey}" path="/remarks|/param|/typeparam|/exception"/>
    public Task<OrderedIndex<T, TKey>> CreateIndexAsync<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TKey>(
        Expression<Func<T, TKey>> keySelector, string? name = null, IProgress<long>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(keySelector);
        OpenContext();
        KeySelector.Read(keySelector, _schema.Layout);
        return Task.Run(() => CreateIndex(keySelector, name, progress, cancellationToken), cancellationToken);
    }

    /// <summary>The ordered index on a key: one that the row type declares (<see cref="IndexAttribute"/>), or one that was created.</summary>
    /// <remarks>Keep what it returns: it reads the selector each time.</remarks>
    /// <param name="keySelector">The key, as for <see cref="CreateIndex{TKey}"/>, with its properties in the same order.</param>
    /// <typeparam name="TKey">The type of the property, or of the value tuple.</typeparam>
    /// <exception cref="ArgumentException">The key is no property, or is of a type that cannot be indexed.</exception>
    /// <exception cref="InvalidOperationException">There is no such index.</exception>
    /// <exception cref="ObjectDisposedException">The collection has been disposed.</exception>
    public OrderedIndex<T, TKey> GetIndex<TKey>(Expression<Func<T, TKey>> keySelector)
    {
        ArgumentNullException.ThrowIfNull(keySelector);
        MemoryContext context = OpenContext();
        KeyPart[] parts = KeySelector.Read(keySelector, _schema.Layout);
        return FindIndex<SortedIndex>(context, parts) is { } index
            ? new OrderedIndex<T, TKey>(index)
            : throw new InvalidOperationException(
                $"Collection '{Name}' has no ordered index on {NamesOf(parts, " and ")}. Declare it with [Index], or create it with CreateIndex.");
    }

    /// <inheritdoc/>
    void IRowOwner.BuildIndex(IndexDescription description, bool isUnique, int threads, CancellationToken cancellationToken)
    {
        MemoryContext context = OpenContext();
        Build(
            isUnique ? new HashIndex(context, description, IndexedColumns<T>.Remove) : new SortedIndex(context, description, IndexedColumns<T>.Remove),
            threads,
            progress: null,
            cancellationToken);
    }

    /// <inheritdoc/>
    void IRowOwner.BuildReferrerIndexes(int threads, CancellationToken cancellationToken)
    {
        foreach (DeclaredReference reference in _schema.References)
        {
            ReferrerIndex<T> index = new(OpenContext(), reference, _referrers!.Gate);
            Build(index, threads, progress: null, cancellationToken);
            index.Join();
        }
    }

    private static string NamesOf(KeyPart[] parts, string separator) => string.Join(separator, parts.Select(part => part.Name));

    private static TIndex? FindIndex<TIndex>(MemoryContext context, KeyPart[] parts)
        where TIndex : KeyedIndex => context.Indexes.All?.OfType<TIndex>().FirstOrDefault(index => index.IsComplete && index.IsOn(parts));

    private static void RequireNoSection()
    {
        if (Smc.Memory.Epoch.IsInsideSection)
            throw new InvalidOperationException("An index is created outside of initialisers and critical sections: it would wait for the caller's own.");
    }

    private static void Build(KeyedIndex index, int threads, IProgress<long>? progress, CancellationToken cancellationToken)
    {
        IndexedColumns<T>.Add(index.Parts);
        new IndexBuilder(index, threads, progress, cancellationToken).Build();
    }

    // Nobody has the collection yet, so the indexes are complete at once.
    private void AddDeclaredIndexes()
    {
        try
        {
            foreach (DeclaredKey key in _schema.Keys)
            {
                IndexDescription description = new(NameOf(key.Parts), key.Parts, key.KeyType, isDeclared: true);
                KeyedIndex index = key.IsUnique ? new HashIndex(_context, description, IndexedColumns<T>.Remove) : new SortedIndex(_context, description, IndexedColumns<T>.Remove);
                AddComplete(index);
            }

            foreach (DeclaredReference reference in _schema.References)
            {
                ReferrerIndex<T> index = new(_context, reference, _referrers!.Gate);
                AddComplete(index);
                index.Join();
            }
        }
        catch
        {
            Dispose();
            throw;
        }

        void AddComplete(KeyedIndex index)
        {
            IndexedColumns<T>.Add(index.Parts);
            _context.Indexes.Add(index);
            index.BecomeStrict();
            index.BecomeComplete();
        }
    }

    private IndexDescription Describe<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TKey>(Expression<Func<T, TKey>> keySelector, string? name)
    {
        KeyPart[] parts = KeySelector.Read(keySelector, _schema.Layout);
        return new IndexDescription(name ?? NameOf(parts), parts, typeof(TKey), isDeclared: false);
    }

    private string NameOf(KeyPart[] parts) => IndexDescription.NameOf(Name, parts);
}
