using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>
/// A text that stored texts are searched for, ordinally: as bytes, so that they need not become strings. Where bytes do not tell, because a
/// text is null or a pattern has surrogates (half of a pair would be found in UTF-16), the strings decide, and raise what they raise.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct TextPattern
{
    /// <summary>Beside a slot: what <see cref="FindIn(ulong, ulong, ulong, int)"/> leaves to <see cref="IndexIn(ulong)"/>. No index.</summary>
    internal const int NotAsked = int.MinValue;

    private const ulong NotAscii = 0x8080_8080_8080_8080;

    private readonly string? _text;
    private readonly ulong _bytes;
    private readonly int _length;
    private readonly bool _hasBytes;
    private readonly ulong _head;
    private readonly ulong _headMask;
    private readonly ByteSearch _search;

    private unsafe TextPattern(string text, ulong bytes, int length)
    {
        int headBytes = Math.Min(length, sizeof(ulong));
        ulong head = 0;
        Unsafe.CopyBlockUnaligned(&head, (byte*)bytes, (uint)headBytes); // SAFETY: the caller's bytes are so many.
        _head = head;
        _headMask = headBytes == sizeof(ulong) ? ulong.MaxValue : (1UL << (headBytes * 8)) - 1;
        if (length >= ByteSearch.LeastLength)
            _search = new ByteSearch(bytes, length);
        _text = text;
        _bytes = bytes;
        _length = length;
        _hasBytes = true;
    }

    private TextPattern(string? text) => _text = text;

    /// <summary>Makes a pattern.</summary>
    /// <param name="text">The text; a search for null raises what <see cref="string"/> raises.</param>
    /// <param name="region">Where its bytes go.</param>
    public static unsafe TextPattern Of(string? text, ref Region region)
    {
        if (text is null || text.AsSpan().ContainsAnyInRange('\uD800', '\uDFFF'))
            return new TextPattern(text);
        int length = Encoding.UTF8.GetByteCount(text);
        ulong bytes = region.Allocate(Math.Max(length, 1));
        // SAFETY: the region gave as many bytes.
        Encoding.UTF8.GetBytes(text, new Span<byte>((byte*)bytes, length));
        return new TextPattern(text, bytes, length);
    }

    /// <summary><c>text.Contains(pattern)</c>.</summary>
    /// <safety>The word is live, here and below.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool IsIn(ulong text) => _hasBytes && text != 0
        ? IndexOfBytes(ref text, 0) >= 0
        : StringWord.Decode(text)!.Contains(_text!, StringComparison.Ordinal);

    /// <summary><c>text.StartsWith(pattern, StringComparison.Ordinal)</c>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool IsPrefixOf(ulong text)
    {
        if (!_hasBytes || text == 0)
            return StringWord.Decode(text)!.StartsWith(_text!, StringComparison.Ordinal);
        // Most texts that do not begin so differ in the first eight bytes.
        if (((StringWord.Head(text) ^ _head) & _headMask) != 0)
            return false;
        return _length <= sizeof(ulong) ? StringWord.ByteLength(text) >= _length : StringWord.Bytes(ref text).StartsWith(Bytes);
    }

    /// <summary><c>text.EndsWith(pattern, StringComparison.Ordinal)</c>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public bool IsSuffixOf(ulong text) => _hasBytes && text != 0
        ? StringWord.Bytes(ref text).EndsWith(Bytes)
        : StringWord.Decode(text)!.EndsWith(_text!, StringComparison.Ordinal);

    /// <summary><c>text.IndexOf(pattern, StringComparison.Ordinal)</c>: an index of UTF-16 units, which is that of bytes behind ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int IndexIn(ulong text)
    {
        if (_hasBytes && text != 0)
        {
            int index = IndexOfBytes(ref text, 0);
            if (index <= 0 || Ascii.IsValid(StringWord.Bytes(ref text)[..index]))
                return index;
        }

        return StringWord.Decode(text)!.IndexOf(_text!, StringComparison.Ordinal);
    }

    /// <summary>Looks for the pattern in the texts of selected rows, for all of them at once; <see cref="IndexBeside"/> gives what was found. Raises nothing.</summary>
    /// <param name="column">The word of slot 0.</param>
    /// <param name="stride">From one slot's word to the next.</param>
    /// <param name="selection">The slots, 32 bits each, of a selection vector.</param>
    /// <param name="count">How many.</param>
    /// <safety>The column is that of the block in which the slots are, in the critical section in which their texts are read.</safety>
    public void FindIn(ulong column, ulong stride, ulong selection, int count) => FindIn(column, stride, selection, count, keepsShared: false);

    /// <summary>As <see cref="FindIn(ulong, ulong, ulong, int)"/>; with <paramref name="keepsShared"/> not where most texts are shared by rows: the caller keeps the answers for those.</summary>
    internal unsafe void FindIn(ulong column, ulong stride, ulong selection, int count, bool keepsShared)
    {
        uint* slots = (uint*)selection;
        int* found = (int*)(selection + ScanBatch.Beside); // SAFETY: a selection vector has room for a number beside each slot.
        if (count > 0 && _hasBytes && _length >= ByteSearch.LeastLength && Vector512.IsHardwareAccelerated && ByteSearch.AreMostShort(column, stride, slots, count, keepsShared))
            _search.FindIn(column, stride, slots, count, _head, _headMask, found);
        else
            Leave(column, stride, selection, found, count, keepsShared);
    }

    /// <summary>Leaves all texts of a batch to the loop, and asks for them.</summary>
    private static unsafe void Leave(ulong column, ulong stride, ulong selection, int* found, int count, bool keepsShared)
    {
        new Span<int>(found, count).Fill(NotAsked); // SAFETY: as in FindIn.
        if (!keepsShared && stride == sizeof(ulong))
            ScanBatch.AskForTexts(column, selection, count);
    }

    /// <summary>As <see cref="IndexIn(ulong)"/>, in a loop that <see cref="FindIn(ulong, ulong, ulong, int)"/> precedes.</summary>
    /// <param name="next">Where the loop is in the selection.</param>
    /// <param name="text">The text.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int IndexBeside(ulong next, ulong text)
    {
        int found = KernelMemory.Read<int>(next + ScanBatch.Beside);
        return found != NotAsked ? found : IndexIn(text);
    }

    /// <summary><c>text.IndexOf(pattern, start, StringComparison.Ordinal)</c>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public int IndexIn(ulong text, int start)
    {
        if (_hasBytes && text != 0)
        {
            ReadOnlySpan<byte> bytes = StringWord.Bytes(ref text);
            if ((uint)start <= (uint)bytes.Length && Ascii.IsValid(bytes))
                return IndexOfBytes(ref text, start);
        }

        return StringWord.Decode(text)!.IndexOf(_text!, start, StringComparison.Ordinal);
    }

    /// <summary><c>text.Substring(start, length)</c>, without the string of the whole text where it is ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static string Substring(ulong text, int start, int length)
    {
        if (text != 0)
        {
            ReadOnlySpan<byte> bytes = StringWord.Bytes(ref text);
            if ((uint)start <= (uint)bytes.Length && (uint)length <= (uint)(bytes.Length - start) && Ascii.IsValid(bytes[..(start + length)]))
                return Encoding.ASCII.GetString(bytes.Slice(start, length));
        }

        return StringWord.Decode(text)!.Substring(start, length);
    }

    /// <summary>As <see cref="Substring"/>, as a word: of a few characters it needs no memory.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static ulong SubstringWord(ulong text, int start, int length, ref Region region)
    {
        int end = unchecked(start + length);
        if (text != 0 && (uint)start < sizeof(ulong) && (uint)(length - 1) < StringWord.MaxInlineBytes && end <= Math.Min(StringWord.ByteLength(text), sizeof(ulong)))
        {
            // The bytes up to the end of the part, the last of them on top.
            ulong head = StringWord.Head(text) << (64 - (end * 8));
            if ((head & NotAscii) == 0)
                return StringWord.InlineAscii(head >> (64 - (length * 8)), length);
        }

        return KeyWords.OfText(Substring(text, start, length), ref region);
    }

    /// <summary>Index of the pattern's bytes at or after a place within the text, or -1.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private unsafe int IndexOfBytes(ref ulong text, int start)
    {
        ReadOnlySpan<byte> bytes = StringWord.Bytes(ref text);
        // SAFETY: a text that is not in its word lies in a chunk, which does not move.
        if (!StringWord.IsInline(text) && _length >= ByteSearch.LeastLength)
            return _search.IndexOf((byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(bytes)), start, bytes.Length);
        int index = bytes[start..].IndexOf(Bytes);
        return index < 0 ? -1 : index + start;
    }

    private unsafe ReadOnlySpan<byte> Bytes => new((byte*)_bytes, _length); // SAFETY: written by Of; the region lives as long as the query.
}
