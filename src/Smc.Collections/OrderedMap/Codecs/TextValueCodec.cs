using System.Runtime.InteropServices;
using System.Text;

namespace Smc.Collections.Codecs;

/// <summary>Texts: 0 and Latin-1 if no character needs more, else 1 and UTF-16. Both keep every string, surrogates without a partner as well.</summary>
internal sealed class TextValueCodec : IValueCodec<string>
{
    private const byte Narrow = 0;
    private const byte Wide = 1;

    public int GetMaxLength(string value) => checked(1 + value.Length * sizeof(char));

    public int Encode(string value, Span<byte> destination)
    {
        bool isNarrow = !value.AsSpan().ContainsAnyExceptInRange('\0', '\xFF');
        destination[0] = isNarrow ? Narrow : Wide;
        if (isNarrow) return 1 + Encoding.Latin1.GetBytes(value, destination[1..]);
        MemoryMarshal.AsBytes(value.AsSpan()).CopyTo(destination[1..]);
        return GetMaxLength(value);
    }

    public string Decode(ReadOnlySpan<byte> source) => source[0] == Narrow
        ? Encoding.Latin1.GetString(source[1..])
        : string.Create((source.Length - 1) / sizeof(char), source[1..], static (text, bytes) => bytes.CopyTo(MemoryMarshal.AsBytes(text)));
}
