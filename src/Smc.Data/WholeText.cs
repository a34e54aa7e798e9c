using System.Globalization;
using System.Text;

namespace Smc.Data;

/// <summary>Texts on their way to a format that has UTF-8: half of a surrogate pair has no form there, and would become another character.</summary>
internal static class WholeText
{
    /// <summary>The text.</summary>
    /// <exception cref="EncoderFallbackException">It has half of a surrogate pair.</exception>
    public static string Require(string text, string column)
    {
        int place = text.AsSpan().IndexOfAnyInRange('\uD800', '\uDFFF');
        while ((uint)place < (uint)text.Length)
        {
            if (!char.IsSurrogate(text[place]))
                place++;
            else if (place + 1 < text.Length && char.IsSurrogatePair(text[place], text[place + 1]))
                place += 2;
            else
                throw Refused(text, place, column);
        }

        return text;
    }

    private static EncoderFallbackException Refused(string text, int place, string column) => new(string.Create(CultureInfo.InvariantCulture,
        $"Column {column}: character {place} of the text is half of a surrogate pair (U+{(int)text[place]:X4}), which UTF-8 has no form for. Replace it in a query."));
}
