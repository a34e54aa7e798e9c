using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Smc.Collections.Json;
using Smc.Collections.Kernels;

namespace Smc.Collections;

/// <summary>Rows and detached records (<c>OrderData</c>) in JSON.</summary>
/// <remarks>
/// A row is an object with a property for each public column. A reference is the key of its row: the value of the column with <see cref="KeyAttribute"/>, an array where the key has several columns, null for no
/// row. So rows that refer to each other need no special care. The options' naming policy, <c>PropertyNameCaseInsensitive</c>, converters for types of columns, <c>DefaultIgnoreCondition.WhenWritingNull</c>,
/// <c>UnmappedMemberHandling</c> and <c>NumberHandling</c> apply.
/// A row is read in one go, but not as of one moment: of a <c>Set</c> on another thread some properties may be new and others old.
/// <code>
/// string json = JsonSerializer.Serialize(orders.Where(o => o.Total > 100).ToList());
///
/// JsonSerializerOptions options = new JsonSerializerOptions().ResolveReferences(customers.GetUniqueIndex(c => c.Key));
/// copies.AddRange(JsonSerializer.Deserialize&lt;OrderData[]>(json, options));
/// </code>
/// </remarks>
public static class RowJson
{
    /// <summary>Names the index in which the rows are found that detached records refer to by key. The index's key is also what is written for references.</summary>
    /// <param name="options">The options, before their first use.</param>
    /// <param name="index">The index over the rows that are referred to.</param>
    /// <returns>The options, for chains.</returns>
    /// <exception cref="NotSupportedException">The key has more than four columns.</exception>
    public static JsonSerializerOptions ResolveReferences<T, TKey>(this JsonSerializerOptions options, UniqueIndex<T, TKey> index)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(index);
        if (default(TKey) is ITuple)
            throw new NotSupportedException("References in JSON have keys of one to four columns.");
        options.Converters.Add(new RowReferences<T, TKey>(index));
        return options;
    }

    /// <inheritdoc cref="ResolveReferences{T, TKey}(JsonSerializerOptions, UniqueIndex{T, TKey})"/>
    public static JsonSerializerOptions ResolveReferences<T, TKey1, TKey2>(this JsonSerializerOptions options, UniqueIndex<T, ValueTuple<TKey1, TKey2>> index)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(index);
        options.Converters.Add(new RowReferences<T, TKey1, TKey2>(index));
        return options;
    }

    /// <inheritdoc cref="ResolveReferences{T, TKey}(JsonSerializerOptions, UniqueIndex{T, TKey})"/>
    public static JsonSerializerOptions ResolveReferences<T, TKey1, TKey2, TKey3>(this JsonSerializerOptions options, UniqueIndex<T, ValueTuple<TKey1, TKey2, TKey3>> index)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(index);
        options.Converters.Add(new RowReferences<T, TKey1, TKey2, TKey3>(index));
        return options;
    }

    /// <inheritdoc cref="ResolveReferences{T, TKey}(JsonSerializerOptions, UniqueIndex{T, TKey})"/>
    public static JsonSerializerOptions ResolveReferences<T, TKey1, TKey2, TKey3, TKey4>(this JsonSerializerOptions options, UniqueIndex<T, ValueTuple<TKey1, TKey2, TKey3, TKey4>> index)
        where T : unmanaged
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(index);
        options.Converters.Add(new RowReferences<T, TKey1, TKey2, TKey3, TKey4>(index));
        return options;
    }

    /// <summary>
    /// Makes rows of a type, their detached records, and arrays and lists of both known to the options without reflection: for programs that are trimmed or compiled ahead of time, and next to
    /// a <c>JsonSerializerContext</c>, whose generator does not see what our generator writes. Elsewhere it is not needed.
    /// </summary>
    /// <typeparam name="T">The row type.</typeparam>
    /// <typeparam name="TData">Its detached record.</typeparam>
    /// <param name="options">The options, before their first use.</param>
    /// <returns>The options, for chains.</returns>
    /// <exception cref="ArgumentException"><typeparamref name="TData"/> is not the detached record of <typeparamref name="T"/>.</exception>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Only where reflection is enabled for JSON, which trimming turns off.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Only where reflection is enabled for JSON, which compilation ahead of time turns off.")]
    public static JsonSerializerOptions AddRows<T, TData>(this JsonSerializerOptions options)
        where T : unmanaged
        where TData : class
    {
        ArgumentNullException.ThrowIfNull(options);
        if (RowTransfer<T>.Instance.Record is not RowRecord<TData>)
            throw new ArgumentException($"{typeof(TData).Name} is not the detached record of {typeof(T).Name}.", nameof(options));
        // Converters come before what a context generated for the row type from its properties, which would follow references.
        options.Converters.Add(new RowJsonConverter<T>());
        options.Converters.Add(new RecordJsonConverter<T, TData>());
        // Options without a resolver use reflection; with the first of the chain they would no longer.
        if (options.TypeInfoResolver is null && JsonSerializer.IsReflectionEnabledByDefault)
            options.TypeInfoResolver = new DefaultJsonTypeInfoResolver();
        options.TypeInfoResolverChain.Insert(0, new RowResolver<T, TData>());
        return options;
    }
}
