using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Smc.Collections.Kernels;

namespace Smc.Collections.Json;

/// <summary>What System.Text.Json has to know of rows and their detached records, without reflection.</summary>
internal sealed class RowResolver<T, TData> : IJsonTypeInfoResolver
    where T : unmanaged
    where TData : class
{
    public JsonTypeInfo? GetTypeInfo(Type type, JsonSerializerOptions options) =>
        type == typeof(T) ? JsonMetadataServices.CreateValueInfo<T>(options, new RowJsonConverter<T>())
        : type == typeof(TData) ? JsonMetadataServices.CreateValueInfo<TData>(options, new RecordJsonConverter<T, TData>())
        : Sequence<T>(type, options) ?? Sequence<TData>(type, options)
        ?? (type == typeof(Collection<T>) ? JsonMetadataServices.CreateIEnumerableInfo<Collection<T>, T>(options, new JsonCollectionInfoValues<Collection<T>>()) : null);

    private static JsonTypeInfo? Sequence<TElement>(Type type, JsonSerializerOptions options) =>
        type == typeof(TElement[]) ? JsonMetadataServices.CreateArrayInfo<TElement>(options, new JsonCollectionInfoValues<TElement[]>())
        : type == typeof(List<TElement>) ? JsonMetadataServices.CreateListInfo<List<TElement>, TElement>(options, new JsonCollectionInfoValues<List<TElement>> { ObjectCreator = static () => [] })
        : type == typeof(IEnumerable<TElement>) ? JsonMetadataServices.CreateIEnumerableInfo<IEnumerable<TElement>, TElement>(options, new JsonCollectionInfoValues<IEnumerable<TElement>>())
        : null;
}
