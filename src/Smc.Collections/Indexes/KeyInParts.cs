using System.Runtime.InteropServices;
using Smc.Memory;

namespace Smc.Collections.Indexes;

/// <summary>
/// The columns of a scan that have to equal a value, as far as they are parts of unique indexes of several columns. As soon as all parts of an index are there, it finds the row.
/// </summary>
internal sealed class KeyInParts
{
    private readonly List<(int Offset, KeyWord Word)> _parts = [];

    // Where texts are that words lead to.
    private readonly List<byte[]> _texts = [];

    /// <summary>A part of a complete unique index of several columns; null if the column is in none. Every scan with an equality asks, so it allocates nothing.</summary>
    public static KeyPart? PartOf(RowIndex[] indexes, int offset)
    {
        foreach (RowIndex index in indexes)
        {
            if (index is not HashIndex { Parts.Length: > 1, IsComplete: true } keyed)
                continue;
            foreach (KeyPart part in keyed.Parts)
            {
                if (part.Offset == offset)
                    return part;
            }
        }

        return null;
    }

    /// <summary>Adds the value of a column. Nothing happens if no row of an index can have it.</summary>
    public void Add<TKey>(KeyPart part, TKey value)
    {
        ulong place = 0;
        if (KeyEncoder<TKey>.TextBytes(value) is var bytes and not 0)
        {
            byte[] text = GC.AllocateUninitializedArray<byte>(bytes, pinned: true);
            _texts.Add(text);
            place = (ulong)Marshal.UnsafeAddrOfPinnedArrayElement(text, 0);
        }

        if (KeyEncoder<TKey>.TryEncodePart(part, value, ref place, out KeyWord word))
            _parts.Add((part.Offset, word));
    }

    /// <summary>As <see cref="Add{TKey}"/>, for a column of integers that are compared as larger ones.</summary>
    public void AddInteger(KeyPart part, long value)
    {
        if (HashIndex.TryNarrow(part, value, out ulong integer))
            _parts.Add((part.Offset, new KeyWord(integer, 0)));
    }

    /// <summary>Finds the row by an index of which all parts are there; false if there is none.</summary>
    /// <inheritdoc cref="IndexTable.Find{TKey}(ref TKey)" path="/safety"/>
    public bool TryFind(RowIndex[] indexes, out ulong handle)
    {
        foreach (RowIndex index in indexes)
        {
            if (index is HashIndex { Parts.Length: > 1, IsComplete: true } keyed && TryFind(keyed, out handle))
                return true;
        }

        handle = 0;
        return false;
    }

    private bool TryFind(HashIndex index, out ulong handle)
    {
        handle = 0;
        KeyImage image = new(index.Parts);
        for (int i = 0; i < index.Parts.Length; i++)
        {
            int offset = index.Parts[i].Offset, at = _parts.FindIndex(known => known.Offset == offset);
            if (at < 0)
                return false;
            image.Set(i, _parts[at].Word);
        }

        image.Complete();
        handle = index.Find(ref image);
        GC.KeepAlive(_texts);
        return true;
    }
}
