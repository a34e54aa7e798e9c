using System.ComponentModel;
using System.Runtime.CompilerServices;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// The texts that a string column is compared with, as words. A word says which: while the column is interned, or where all texts are short, a row
/// holds a text if and only if it holds its word, and nothing else needs to be looked at.
/// </summary>
/// <remarks>
/// Made in the critical section in which the rows are read. A row that was there before and holds one of the texts is found, whatever others do: its
/// word was handed out before the question (<see cref="StringHeap.Find"/>), and as long as the section lasts the column gives the text no other one.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public struct TextSet
{
    private ulong _words;
    private int _count;
    private bool _needsContent;

    /// <summary>Adds a text.</summary>
    /// <param name="text">The text, or null.</param>
    /// <param name="context">The collection whose rows are read; null if there is none, because nothing refers to one.</param>
    /// <param name="column">From a block's base to the column's value in slot 0.</param>
    /// <param name="capacity">Texts that the set gets in all.</param>
    /// <param name="region">Where words and texts go.</param>
    public void Add(string? text, MemoryContext? context, ulong column, int capacity, ref Region region)
    {
        if (_words == 0)
            _words = region.Allocate(capacity * sizeof(ulong));
        ulong word = KeyWords.OfText(text, ref region);
        TextForm form = context?.Strings.Find(word, (int)column) ?? new TextForm(word, IsExact: false);
        KernelMemory.Write(_words + ((ulong)_count++ * sizeof(ulong)), form.Word);
        _needsContent |= !form.IsExact;
    }

    /// <summary>Whether words alone tell.</summary>
    public readonly bool IsExact => !_needsContent;

    /// <summary>Number of texts.</summary>
    public readonly int Count => _count;

    /// <summary>The word of a text.</summary>
    public readonly ulong this[int index] => KernelMemory.Read<ulong>(_words + ((ulong)index * sizeof(ulong)));

    /// <summary>Whether a row's word stands for one of the texts.</summary>
    /// <safety>The word is live, and the caller is inside the section in which the set was made.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool Contains(ulong word)
    {
        bool isFound = false;
        for (int i = 0; i < _count; i++)
            isFound |= _needsContent ? StringWord.Equals(word, this[i]) : word == this[i];
        return isFound;
    }
}
