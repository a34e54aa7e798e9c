using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>A unique index with its key columns.</summary>
internal abstract class KeyedIndex : RowIndex
{
    private const int StackBytes = 512;

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)]
    private readonly Type _keyType;
    private readonly bool _isInteger;
    private readonly bool _hasText;
    private int _columnsAreReleased;

    protected KeyedIndex(
        MemoryContext context, string name, KeyPart[] parts, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type keyType, bool isDeclared)
        : base(context)
    {
        IsDeclared = isDeclared;
        Name = name;
        Parts = parts;
        _keyType = keyType;
        _isInteger = parts.Length == 1 && parts[0].IsInteger;
        _hasText = parts.Any(static part => part.Kind == KeyKind.Text);
    }

    public string Name { get; }

    public KeyPart[] Parts { get; }

    /// <summary>Whether the row type declares the index, which then lives as long as the collection.</summary>
    public bool IsDeclared { get; }

    public override bool TryHash(ulong location, out ulong hash)
    {
        if (_isInteger)
        {
            bool isThere = Parts[0].TryReadInteger(location, out ulong integer);
            hash = IntegerKey.HashOf(integer);
            return isThere;
        }

        bool hasKey = KeyImage.TryRead(Parts, location, out KeyImage image);
        hash = image.Hash;
        return hasKey;
    }

    public override bool TryClaim(ulong location, uint id, uint incarnation, out ClaimedWord claimed)
    {
        claimed = default;
        if (!_isInteger)
            return !KeyImage.TryRead(Parts, location, out KeyImage image) || TryClaim(ref image, id, incarnation, out claimed);
        if (!Parts[0].TryReadInteger(location, out ulong integer))
            return true;
        IntegerKey key = new(Parts[0], integer);
        return TryClaim(ref key, id, incarnation, out claimed);
    }

    public override Exception Duplicate(ulong location)
    {
        KeyImage.TryRead(Parts, location, out KeyImage image);
        return Duplicate(in image);
    }

    /// <summary>Asks the processor for the bucket of a row that is about to get a key, if the key is one column of integers.</summary>
    /// <param name="offset">A column.</param>
    /// <param name="bits">The value that it is about to get, as many bits as it is wide.</param>
    /// <safety>The caller is inside a critical section.</safety>
    public void Prefetch(int offset, ulong bits)
    {
        if (_isInteger && Parts[0].Offset == offset)
            Prefetch(IntegerKey.HashOf(Parts[0].Normalise(bits).Low));
    }

    /// <summary>Asks the processor for the bucket of a key that is going to be looked up.</summary>
    /// <safety>The caller is inside a critical section.</safety>
    public void PrefetchKey<TKey>(TKey key)
    {
        if (_hasText)
            return;
        KeyImage image = new(Parts);
        if (KeyEncoder<TKey>.TryEncode(Parts, key, ref image, place: 0))
            Prefetch(image.Hash);
    }

    /// <summary>Whether a column is one of the key.</summary>
    public bool Uses(int offset)
    {
        foreach (KeyPart part in Parts)
        {
            if (part.Offset == offset)
                return true;
        }

        return false;
    }

    /// <inheritdoc cref="RowIndex.TryClaim(ulong, uint, uint, out ClaimedWord)"/>
    public bool TryClaim(ref KeyImage key, uint id, uint incarnation, out ClaimedWord claimed) => TryClaim<KeyImage>(ref key, id, incarnation, out claimed);

    /// <summary>The exception for a key that another row has.</summary>
    public DuplicateKeyException Duplicate(in KeyImage key)
    {
        object?[] values = key.Box();
        return new DuplicateKeyException(Name, values.Length == 1 ? values[0] : Activator.CreateInstance(_keyType, values));
    }

    /// <summary>Finds the row with a key.</summary>
    /// <safety>As <see cref="RowIndex.Find{TKey}(ref TKey)"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Find(ulong integer) =>
        IntegerKey.TryHashNarrow(integer, out ulong hash) && TryFindAtHome(hash, out ulong handle) ? handle : FindFurther(integer);

    /// <summary>Finds the row with a key.</summary>
    /// <safety>As <see cref="RowIndex.Find{TKey}(ref TKey)"/>.</safety>
    public ulong Find(ref KeyImage key) => Find<KeyImage>(ref key);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ulong FindFurther(ulong integer)
    {
        IntegerKey key = new(Parts[0], integer);
        return Find(ref key);
    }

    /// <summary>Finds the row with a key.</summary>
    /// <returns>False if the key cannot be compared with those of rows: it is null, has a null in it, or has more digits than the columns keep.</returns>
    /// <inheritdoc cref="RowIndex.Find{TKey}(ref TKey)" path="/safety"/>
    public bool TryFind<TKey>(TKey key, out ulong handle)
    {
        if (_hasText)
            return TryFindText(key, out handle);
        if (!KeyEncoder<TKey>.IsInteger)
            return TryFindEncoded(key, place: 0, out handle);
        handle = Find(KeyEncoder<TKey>.Widen(key));
        return true;
    }

    /// <summary>Finds the row with a key.</summary>
    /// <returns>False if the column has no such integers.</returns>
    /// <inheritdoc cref="RowIndex.Find{TKey}(ref TKey)" path="/safety"/>
    public bool TryFindInteger(long key, out ulong handle)
    {
        ulong value = Parts[0].Normalise((ulong)key).Low;
        bool isThere = Parts[0].Kind == KeyKind.Signed ? (long)value == key : Parts[0].Kind == KeyKind.Unsigned && key >= 0 && key >> (8 * Parts[0].Width - 1) >> 1 == 0;
        handle = isThere ? Find(value) : 0;
        return isThere;
    }

    /// <summary>The index on one column alone, if there is one that is complete.</summary>
    /// <param name="indexes">The indexes of a collection, as the caller's critical section sees them.</param>
    /// <param name="offset">The column.</param>
    public static KeyedIndex? Of(RowIndex[] indexes, int offset)
    {
        foreach (RowIndex index in indexes)
        {
            if (index is KeyedIndex { Parts.Length: 1 } keyed && keyed.Parts[0].Offset == offset && (keyed.IsComplete || KernelMutants.IndexIsSoughtEarly))
                return keyed;
        }

        return null;
    }

    [SkipLocalsInit]
    private unsafe bool TryFindText<TKey>(TKey key, out ulong handle)
    {
        int bytes = KeyEncoder<TKey>.TextBytes(key);
        byte* stack = stackalloc byte[StackBytes];
        // SAFETY: both are at multiples of 8, as the words of texts have to be, and outlive the image.
        void* heap = bytes > StackBytes - 8 ? NativeMemory.Alloc((nuint)bytes) : null;
        ulong place = heap != null ? (ulong)heap : ((ulong)stack + 7) & ~7UL;
        try
        {
            return TryFindEncoded(key, place, out handle);
        }
        finally
        {
            NativeMemory.Free(heap);
        }
    }

    /// <safety>As <see cref="KeyEncoder{TKey}.TryEncode"/>; without texts the place is not used.</safety>
    private bool TryFindEncoded<TKey>(TKey key, ulong place, out ulong handle)
    {
        KeyImage image = new(Parts);
        bool isEncoded = KeyEncoder<TKey>.TryEncode(Parts, key, ref image, place);
        handle = isEncoded ? Find(ref image) : 0;
        return isEncoded;
    }

    /// <summary>Ends the index. Setters of its columns do not ask for it any more.</summary>
    public void End()
    {
        Drop();
        ReleaseColumns();
    }

    /// <summary>Takes the key columns out of <see cref="IndexedColumns{TRow}"/>, once.</summary>
    public void ReleaseColumns()
    {
        if (Interlocked.Exchange(ref _columnsAreReleased, 1) == 0)
            ForgetColumns();
    }

    protected abstract void ForgetColumns();
}

/// <summary>A unique index of rows of one type.</summary>
/// <typeparam name="T">The row type.</typeparam>
internal sealed class KeyedIndex<T> : KeyedIndex
    where T : unmanaged
{
    public KeyedIndex(
        MemoryContext context, string name, KeyPart[] parts, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type keyType, bool isDeclared)
        : base(context, name, parts, keyType, isDeclared) => IndexedColumns<T>.Add(parts);

    protected override void ForgetColumns() => IndexedColumns<T>.Remove(Parts);
}
