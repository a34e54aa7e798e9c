using System.Collections.Concurrent;
using System.Reflection;
using Smc.Collections;
using Smc.Collections.Kernels;
using Smc.QueryCompiler.Plan;
using Smc.QueryCompiler.Translation;
using TypeKind = Smc.QueryCompiler.Plan.TypeKind;

namespace Smc.QueryCompiler.FrontEnd;

/// <summary>The shape of a tabular type from the attributes that the generator left on it: what the generator itself does for types of other assemblies.</summary>
internal static class RuntimeShapes
{
    private static readonly ConcurrentDictionary<Type, TabularShape> s_shapes = [];

    /// <exception cref="QueryNotTranslatableException">The generator did not run over the type.</exception>
    public static TabularShape Read(Type type) => s_shapes.GetOrAdd(type, ReadShape);

    /// <summary>A property that is stored, with its ordinal; null for computed ones.</summary>
    public static StoredColumnAttribute? Column(MemberInfo property) => property.GetCustomAttribute<StoredColumnAttribute>();

    private static TabularShape ReadShape(Type type)
    {
        StoredLayoutAttribute layout = type.GetCustomAttribute<StoredLayoutAttribute>()
            ?? throw new QueryNotTranslatableException($"{type} has no stored layout: the generator did not run over it", type);
        LayoutKind kind = type.GetCustomAttribute<TabularAttribute>()!.Layout == TabularLayout.Row ? LayoutKind.Row : LayoutKind.Columnar;
        return new TabularShape(
            RuntimeTypes.Read(type).CSharp,
            type.Name,
            kind,
            layout.Capacity,
            layout.BlockBytes,
            layout.RowStride,
            type.GetProperties(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
                .Select(property => (Property: property, Stored: Column(property)))
                .Where(p => p.Stored is not null)
                .OrderBy(p => p.Stored!.Ordinal)
                .Select(p => ReadColumn(p.Property, p.Stored!))
                .ToEquatableArray(),
            layout.Hash);
    }

    private static ColumnShape ReadColumn(PropertyInfo property, StoredColumnAttribute stored)
    {
        PlanType type = ColumnType(property);
        PrecisionAttribute? precision = property.GetCustomAttribute<PrecisionAttribute>();
        StorageKind storage = type.Kind == TypeKind.Struct ? StorageKind.Raw : StorageForms.Of(type, precision?.Precision ?? 0).Storage;
        if (storage == StorageKind.Reference && property.IsDefined(typeof(DirectAttribute)))
            storage = StorageKind.DirectReference;
        // The default of a column matters to who adds rows, not to kernels.
        return new ColumnShape(
            property.Name, type, storage, stored.Width, stored.Offset, stored.Stride, precision?.Precision ?? 0, precision?.Scale ?? 0,
            Rounds(property), stored.Nulls, stored.Zone, stored.Sketch, DefaultText: null);
    }

    /// <summary>A column's type, with the annotation that says whether a reference type may be null.</summary>
    public static PlanType ColumnType(PropertyInfo property)
    {
        PlanType type = RuntimeTypes.Read(property.PropertyType);
        return type.IsReferenceType && new NullabilityInfoContext().Create(property).ReadState != NullabilityState.NotNull ? type.AsNullable() : type;
    }

    private static bool Rounds(PropertyInfo property) => property.GetCustomAttributesData()
        .Any(a => a.AttributeType == typeof(PrecisionAttribute) && a.NamedArguments.Any(n => n.MemberName == nameof(PrecisionAttribute.Rounding)));
}
