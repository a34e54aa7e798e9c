using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using Smc.Collections.Indexes;
using Smc.Collections.Kernels;
using Smc.Collections.Removing;
using Smc.Memory;

namespace Smc.Collections;

/// <summary>Columns and layout of a tabular type, made once per type by generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class TabularSchema
{
    private readonly List<DeclaredKey> _keys = [];
    private readonly List<DeclaredReference> _references = [];
    private readonly Lazy<RowTransfer> _transfer;
    private string? _fault;

    /// <summary>Creates the schema of a type.</summary>
    public TabularSchema(Type rowType, BlockLayout layout, RowInitializer initialize, Func<RowTransfer> transfer)
    {
        RowType = rowType;
        Layout = layout;
        Initialize = initialize;
        _transfer = new Lazy<RowTransfer>(transfer);
    }

    /// <summary>The tabular struct.</summary>
    public Type RowType { get; }

    /// <summary>How its rows lie in a block.</summary>
    public BlockLayout Layout { get; }

    /// <summary>The name of the type in files.</summary>
    internal string SavedName => RowType.FullName ?? RowType.Name;

    /// <summary>The name of the type in older files, or null.</summary>
    internal string? FormerName { get; private set; }

    internal RowInitializer Initialize { get; }

    /// <summary>The keys of which each collection has an index.</summary>
    internal IReadOnlyList<DeclaredKey> Keys => _keys;

    /// <summary>The references of which each collection knows who has them.</summary>
    internal IReadOnlyList<DeclaredReference> References => _references;

    /// <summary>For moving rows in and out many at a time.</summary>
    public RowTransfer Transfer => _transfer.Value;

    /// <summary>Checks what the compiler worked out of a struct against what the runtime made of it.</summary>
    /// <param name="property">The property that has the struct's type.</param>
    /// <param name="width">The bytes that were planned.</param>
    /// <returns>This schema.</returns>
    public TabularSchema WithStruct<T>(string property, int width)
        where T : unmanaged
    {
        if (Unsafe.SizeOf<T>() > width)
            _fault ??= $"Property {property} of {RowType.Name} was planned with {width} bytes, but {typeof(T)} takes {Unsafe.SizeOf<T>()} here. Give the struct [StructLayout(LayoutKind.Sequential)] and fields of fixed size.";
        return this;
    }

    /// <summary>Names the type as older files do (<see cref="SavedAsAttribute"/>).</summary>
    /// <returns>This schema.</returns>
    public TabularSchema WithFormerName(string name)
    {
        FormerName = name;
        return this;
    }

    /// <summary>Declares a unique key.</summary>
    /// <param name="keySelector">The property, or several as <c>ValueTuple.Create(…)</c>.</param>
    /// <returns>This schema.</returns>
    public TabularSchema WithUnique<TRow, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TKey>(Expression<Func<TRow, TKey>> keySelector)
        where TRow : unmanaged
    {
        _keys.Add(new DeclaredKey(KeySelector.Read(keySelector, Layout), typeof(TKey), isUnique: true));
        return this;
    }

    /// <summary>Declares an ordered index.</summary>
    /// <inheritdoc cref="WithUnique" path="/param|/returns"/>
    public TabularSchema WithIndex<TRow, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TKey>(Expression<Func<TRow, TKey>> keySelector)
        where TRow : unmanaged
    {
        _keys.Add(new DeclaredKey(KeySelector.Read(keySelector, Layout), typeof(TKey), isUnique: false));
        return this;
    }

    /// <summary>Declares what becomes of a reference when the row that it names is removed (<see cref="OnRemoveAttribute"/>).</summary>
    /// <param name="property">The property, which refers to rows by handle.</param>
    /// <param name="behavior">What becomes of it.</param>
    /// <typeparam name="TTarget">The tabular type to whose rows it refers.</typeparam>
    /// <returns>This schema.</returns>
    public TabularSchema WithOnRemove<TTarget>(string property, RemoveBehavior behavior)
        where TTarget : unmanaged
    {
        ColumnLayout column = Layout.Columns.ToArray().First(column => string.Equals(column.Name, property, StringComparison.Ordinal));
        _references.Add(new DeclaredReference(new KeyPart(column, typeof(TTarget), KeyKind.Reference, scale: 0), typeof(TTarget), behavior));
        return this;
    }

    /// <summary>The schema of a type of row.</summary>
    /// <exception cref="InvalidOperationException">The type is not tabular, or its layout differs from the planned one.</exception>
    internal static TabularSchema Of<T>()
        where T : unmanaged
    {
        TabularSchema schema = Cache<T>.Schema
            ?? throw new InvalidOperationException($"{typeof(T)} is not a tabular type. Declare it as '[Tabular] readonly partial struct', in a project that references the Smc.Collections package.");
        return schema._fault is { } fault ? throw new InvalidOperationException(fault) : schema;
    }

    private static class Cache<T>
        where T : unmanaged
    {
        public static readonly TabularSchema? Schema = ((object)default(T) as ITabular)?.Schema;
    }
}
