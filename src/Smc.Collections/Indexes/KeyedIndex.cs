using System.Diagnostics.CodeAnalysis;
using Smc.Collections.Kernels;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>An index with its key columns.</summary>
internal abstract class KeyedIndex : RowIndex
{
    private readonly Action<KeyPart[]> _forgetColumns;
    private int _columnsAreReleased;

    /// <param name="context">The memory of the collection.</param>
    /// <param name="description">What the index is on.</param>
    /// <param name="forgetColumns">Takes the key columns out of <see cref="IndexedColumns{TRow}"/>.</param>
    protected KeyedIndex(MemoryContext context, IndexDescription description, Action<KeyPart[]> forgetColumns)
        : base(context)
    {
        Description = description;
        _forgetColumns = forgetColumns;
    }

    public IndexDescription Description { get; }

    public string Name => Description.Name;

    public KeyPart[] Parts => Description.Parts;

    /// <summary>How often setters were done with a change of a key, but for the departure of the old word.</summary>
    public abstract long Moves { get; }

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

    /// <summary>Whether the key has these columns, in this order.</summary>
    public bool IsOn(KeyPart[] parts) => Parts.Select(part => part.Offset).SequenceEqual(parts.Select(part => part.Offset));

    /// <summary>Asks the processor for what the addition of a row reads, if the key is one column of integers.</summary>
    /// <param name="offset">A column.</param>
    /// <param name="bits">The value that it is about to get, as many bits as it is wide.</param>
    /// <safety>The caller is inside a critical section.</safety>
    public virtual void Prefetch(int offset, ulong bits)
    {
    }

    public override void PrefetchKeyColumns(RowLocation location)
    {
        foreach (KeyPart part in Parts)
            KernelMemory.PrefetchNear(location.AddressOf(part.Offset, part.Stride));
    }

    /// <summary>Stores the word of a key that a row is about to get. Nothing if a part of it is null.</summary>
    /// <returns>False if another row has the key, and may not.</returns>
    /// <exception cref="OutOfMemoryException">There is no memory for the index to grow. Nothing has changed.</exception>
    /// <safety>The caller is inside a critical section and holds the row's stripe.</safety>
    public abstract bool TryChange(ref KeyTransition transition, KeyBuffer buffer, out ChangedKey changed);

    /// <summary>The exception for a key that another row has.</summary>
    /// <safety>Texts in it are live.</safety>
    public DuplicateKeyException Duplicate(in KeyImage key) => new(Name, Box(in key));

    public override Exception Duplicate(RowLocation location)
    {
        KeyImage.TryReadWords(Parts, location, out KeyImage image);
        return Duplicate(in image);
    }

    /// <summary>Says that the row is about to lose the old key.</summary>
    /// <safety>As <see cref="TryChange"/>.</safety>
    public abstract void BeginChange(in ChangedKey changed, uint id);

    /// <summary>Takes the word of the old key out when the columns have their new values.</summary>
    /// <safety>As <see cref="TryChange"/>.</safety>
    public abstract void EndChange(in ChangedKey changed, KeyBuffer buffer, uint id);

    /// <summary>Takes the word of the new key back.</summary>
    /// <safety>As <see cref="TryChange"/>.</safety>
    public abstract void UndoChange(in ChangedKey changed, KeyBuffer buffer, uint id);

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
            _forgetColumns(Parts);
    }

    /// <summary>The key as the caller's type has it.</summary>
    /// <safety>Texts in it are live.</safety>
    protected object? Box(in KeyImage key)
    {
        object?[] values = key.Box();
        return values.Length == 1 ? values[0] : Description.MakeTuple(values);
    }

    [DoesNotReturn]
    public void ThrowDisposed() => throw new ObjectDisposedException(Name, $"Index '{Name}' or its collection has been disposed.");
}
