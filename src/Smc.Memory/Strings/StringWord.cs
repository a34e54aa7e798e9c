using System.Buffers;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Unicode;
using Smc.Memory.Strings;

namespace Smc.Memory;

/// <summary>
/// The 8 bytes that a string takes in a row. Reading one needs a critical section unless the word is inline, because the chunk may be
/// freed once the row is removed or changed.
/// </summary>
/// <remarks>
/// <code>
/// 0                                                     null
/// [ 7 bytes of text, rest zero : 56 | length : 7 | 1 ]  up to 7 bytes of UTF-8: always inline, so equal texts are equal words
/// [ hash : 8 | length : 8         | address    : 48 ]   up to 254 bytes: chunk [ text ], 4-aligned; bit 1 set: the chunk is interned
/// [ hash : 8 | 255    : 8         | address    : 48 ]   more: chunk [ u32 length ][ text ]
/// </code>
/// The text is UTF-8, with lone surrogates as WTF-8. Binary values have the same form.
/// Whoever takes the word of a chunk out of its row frees the chunk, unless it is interned: then it belongs to the column. The bit lies in the
/// word so that nobody has to look at a chunk that may be gone.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class StringWord
{
    /// <summary>Texts of at most so many bytes are stored in the word.</summary>
    public const int MaxInlineBytes = 7;

    internal const ulong AddressMask = (1UL << 48) - SizeClass.Alignment;
    internal const ulong InternedBit = 2;
    private const ulong FilterMask = 0xFFFFUL << 48;
    private const int LongCode = SizeClass.LongestShort + 1;
    private const int StackBytes = 512;

    /// <summary>True for null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsNull(ulong word) => word == 0;

    /// <summary>True if the text is in the word. False for null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsInline(ulong word) => (word & 1) != 0;

    /// <summary>True if the text lies in a chunk that rows of the column share. False for null and for inline texts.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsInterned(ulong word) => (word & (InternedBit | 1)) == InternedBit;

    /// <summary>Length in bytes; 0 for null.</summary>
    /// <safety>The word is live: the caller read it in its critical section, or its region is not disposed.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe int ByteLength(ulong word)
    {
        if ((word & 1) != 0) return (int)(word >> 1) & 0x7F;
        // SAFETY: as the caller promises, the chunk of a long text begins with its length. The code of null is 0.
        int code = CodeOf(word);
        return code < LongCode ? code : *(int*)(word & AddressMask);
    }

    /// <summary>
    /// The bytes of a word. For an inline word they lie in the variable itself, which must live as long as the span.
    /// </summary>
    /// <safety>As <see cref="ByteLength"/>, for as long as the span is used.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ReadOnlySpan<byte> Bytes(ref readonly ulong word)
    {
        ulong bits = word;
        if ((bits & 1) != 0)
        {
            ref byte first = ref Unsafe.As<ulong, byte>(ref Unsafe.AsRef(in word));
            return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref first, 1), (int)(bits >> 1) & 0x7F);
        }
        // SAFETY: as the caller promises. Null has the address and the length 0.
        byte* chunk = (byte*)(bits & AddressMask);
        int code = CodeOf(bits);
        return code < LongCode ? new ReadOnlySpan<byte>(chunk, code) : new ReadOnlySpan<byte>(chunk + SizeClass.Header, *(int*)chunk);
    }

    /// <summary>Where a text of 8 to 254 bytes lies; false for shorter and longer ones, and for null. Touches no chunk.</summary>
    /// <param name="word">The word.</param>
    /// <param name="address">The first byte; readable as <see cref="ByteLength"/> says.</param>
    /// <param name="bytes">How many.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryShort(ulong word, out ulong address, out int bytes)
    {
        address = ChunkAddress(word);
        bytes = CodeOf(word);
        return (word & 1) == 0 && (uint)(bytes - 1) < LongCode - 1;
    }

    /// <summary>The first eight bytes of a text, the first of them lowest; zeros behind the end of a shorter one. Not of null.</summary>
    /// <safety>As <see cref="ByteLength"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe ulong Head(ulong word) =>
        (word & 1) != 0 ? word >> 8 : Unsafe.ReadUnaligned<ulong>((byte*)(word & AddressMask) + SizeClass.HeaderOf(CodeOf(word))); // SAFETY: a text in a chunk has more than seven bytes.

    /// <summary>Where the chunk of a text is that does not lie in its word; 0 for null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ChunkAddress(ulong word) => word & AddressMask;

    /// <summary>The chunk of a word that does not hold its text; none for null.</summary>
    internal static TextChunk ChunkOf(ulong word) => new(word & AddressMask);

    /// <summary>The inline word of one to <see cref="MaxInlineBytes"/> bytes of ASCII, the first of them lowest.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong InlineAscii(ulong bytes, int length) => (bytes << 8) | ((ulong)length << 1) | 1;

    /// <summary>True if both are null or both hold the same text.</summary>
    /// <safety>As <see cref="ByteLength"/>, for both.</safety>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Equals(ulong a, ulong b)
    {
        if (a == b) return true;
        // Different filters, or one of them inline or null: different texts. No chunk is touched.
        if (((a ^ b) & FilterMask) != 0 || ((a | b) & 1) != 0 || a == 0 || b == 0) return false;
        return ChunksEqual(a, b);
    }

    /// <summary>Compares as <see cref="string.CompareOrdinal(string, string)"/> does, which is by UTF-16 units, and null first; makes no string.</summary>
    /// <returns>A number with the sign of the result.</returns>
    /// <safety>As <see cref="ByteLength"/>, for both.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static int CompareOrdinal(ulong a, ulong b)
    {
        if (a == b) return 0;
        if (a == 0 || b == 0) return a == 0 ? -1 : 1;
        return Wtf8.CompareUtf16(Bytes(ref a), Bytes(ref b));
    }

    /// <summary>Makes the string; null for null.</summary>
    /// <safety>As <see cref="ByteLength"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static string? Decode(ulong word)
    {
        if (word == 0) return null;
        ReadOnlySpan<byte> bytes = Bytes(ref word);
        return bytes.Length <= StackBytes ? DecodeOnStack(bytes) : DecodeLarge(bytes);
    }

    /// <summary>Writes the characters of a text, which is not null.</summary>
    /// <param name="word">The word.</param>
    /// <param name="text">Room for as many characters as the text has bytes.</param>
    /// <returns>How many there are.</returns>
    /// <exception cref="ArgumentException">There is less room.</exception>
    /// <safety>As <see cref="ByteLength"/>.</safety>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static int DecodeTo(ulong word, Span<char> text) => Wtf8.Decode(Bytes(ref word), text);

    /// <summary>Puts a text into a region, as a word that compares with stored ones.</summary>
    /// <exception cref="OffHeapMemoryException">The region cannot grow.</exception>
    [SkipLocalsInit]
    public static unsafe ulong EncodeInto(ReadOnlySpan<char> text, ref Region region)
    {
        int length = Wtf8.ByteCount(text);
        if (length <= MaxInlineBytes)
        {
            byte* bytes = stackalloc byte[8];
            // SAFETY: the text takes at most 7 of the 8 bytes.
            return Inline(new ReadOnlySpan<byte>(bytes, Wtf8.Encode(text, new Span<byte>(bytes, 8))));
        }
        TextChunk chunk = new(region.Allocate(SizeClass.HeaderOf(length) + (long)length));
        // SAFETY: the region gave as many bytes.
        Span<byte> target = chunk.Text(length);
        Wtf8.Encode(text, target);
        return chunk.Seal(target);
    }

    /// <summary>As <see cref="EncodeInto"/>, at a place that has room: 4 bytes for the length and 3 for each UTF-16 unit.</summary>
    /// <safety>The place has the room and is a multiple of 4, and the word is not used after the place is.</safety>
    public static unsafe ulong EncodeAt(ReadOnlySpan<char> text, ulong place)
    {
        // SAFETY: the caller's promise.
        Span<byte> target = new((byte*)place + SizeClass.Header, Wtf8.Encode(text, new Span<byte>((byte*)place + SizeClass.Header, text.Length * 3)));
        if (target.Length <= MaxInlineBytes) return Inline(target);
        // A short text begins where the chunk of a long one would have its length.
        return new TextChunk(place + (uint)(SizeClass.Header - SizeClass.HeaderOf(target.Length))).Seal(target);
    }

    /// <summary>The same text in a region, as a word that outlives what holds it now.</summary>
    /// <safety>As <see cref="ByteLength"/>.</safety>
    /// <exception cref="OffHeapMemoryException">The region cannot grow.</exception>
    public static ulong CopyInto(ulong word, ref Region region)
    {
        if (word == 0 || IsInline(word)) return word;
        ReadOnlySpan<byte> text = Bytes(ref word);
        TextChunk chunk = new(region.Allocate(SizeClass.HeaderOf(text.Length) + (long)text.Length));
        text.CopyTo(chunk.Text(text.Length)); // SAFETY: the region gave as many bytes.
        return chunk.SealAs(word & FilterMask, text.Length);
    }

    /// <summary>Whether bytes are what some string is stored as: UTF-8, or that with lone surrogates (WTF-8). O(length).</summary>
    public static bool IsWellFormed(ReadOnlySpan<byte> text) => Wtf8.IsWellFormed(text);

    /// <summary>The inline word of at most <see cref="MaxInlineBytes"/> bytes of UTF-8.</summary>
    public static ulong Inline(ReadOnlySpan<byte> bytes)
    {
        ulong word = (ulong)bytes.Length << 1 | 1;
        for (int i = 0; i < bytes.Length; i++) word |= (ulong)bytes[i] << (8 * i + 8);
        return word;
    }

    /// <summary>True if the word is the address of a chunk that belongs to the row which holds it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool OwnsChunk(ulong word) => word != 0 && (word & (InternedBit | 1)) == 0;

    /// <summary>The upper 16 bits of a chunk's word.</summary>
    internal static ulong Filter(ulong hash, int length) => hash >> 56 << 56 | (ulong)Math.Min(length, LongCode) << 48;

    // Bytes of the text, LongCode for a long one, 0 for null. Not of an inline word.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int CodeOf(ulong word) => (byte)(word >> 48);

    /// <summary>
    /// A hash of more than <see cref="MaxInlineBytes"/> bytes, good in its upper half. All bytes take part: texts often differ only in the middle.
    /// </summary>
    internal static ulong Hash(ReadOnlySpan<byte> text)
    {
        ref byte first = ref MemoryMarshal.GetReference(text);
        ulong last = MemoryMarshal.Read<ulong>(text[^8..]);
        ulong hash = (ulong)text.Length;
        for (int i = 0; i < text.Length - 8; i += 8)
        {
            hash = (hash ^ Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref first, i))) * 0x9E3779B97F4A7C15;
            hash ^= hash >> 32;
        }
        // Once more: a product's bit depends on the bits below it only, and texts often differ in the last bytes alone, which are the highest.
        hash = (hash ^ last) * 0x9E3779B97F4A7C15;
        return (hash ^ hash >> 32) * 0x9E3779B97F4A7C15;
    }

    // Steady from the first query on, as the kernels that call it.
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private static bool ChunksEqual(ulong a, ulong b) => Bytes(ref a).SequenceEqual(Bytes(ref b));

    [SkipLocalsInit]
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static string DecodeOnStack(ReadOnlySpan<byte> bytes)
    {
        Span<char> text = stackalloc char[StackBytes];
        return text[..Wtf8.Decode(bytes, text)].ToString();
    }

    private static string DecodeLarge(ReadOnlySpan<byte> bytes)
    {
        if (Utf8.IsValid(bytes)) return System.Text.Encoding.UTF8.GetString(bytes);
        char[] text = ArrayPool<char>.Shared.Rent(bytes.Length);
        string decoded = new(text, 0, Wtf8.Decode(bytes, text));
        ArrayPool<char>.Shared.Return(text);
        return decoded;
    }
}
