using System.Collections.Frozen;
using System.Text.Unicode;
using TpcH.Dbgen;

namespace TpcH.Tbl;

/// <summary>The few texts of a column, one string each: rivals that keep managed rows are not to pay for duplicates.</summary>
internal sealed class TextDomain
{
    private readonly FrozenDictionary<string, string>.AlternateLookup<ReadOnlySpan<char>> texts;
    private readonly int longest;

    private TextDomain(IEnumerable<string> texts)
    {
        FrozenDictionary<string, string> self = texts.ToFrozenDictionary(text => text, StringComparer.Ordinal);
        this.texts = self.GetAlternateLookup<ReadOnlySpan<char>>();
        longest = self.Keys.Max(text => text.Length);
    }

    public static TextDomain Regions { get; } = Listed("regions");

    public static TextDomain Nations { get; } = Listed("nations");

    public static TextDomain Manufacturers { get; } = new(PartGenerator.AllManufacturers);

    public static TextDomain Brands { get; } = new(PartGenerator.AllBrands);

    public static TextDomain Types { get; } = Listed("p_types");

    public static TextDomain Containers { get; } = Listed("p_cntr");

    public static TextDomain Segments { get; } = Listed("msegmnt");

    public static TextDomain Priorities { get; } = Listed("o_oprio");

    public static TextDomain Instructions { get; } = Listed("instruct");

    public static TextDomain Modes { get; } = Listed("smode");

    /// <summary>The shared string of a UTF-8 text, or null when the text is none of the domain's.</summary>
    public string? Find(ReadOnlySpan<byte> text)
    {
        if (text.Length > longest)
            return null;
        Span<char> characters = stackalloc char[longest];
        Utf8.ToUtf16(text, characters, out _, out int length);
        return texts.TryGetValue(characters[..length], out string? shared) ? shared : null;
    }

    private static TextDomain Listed(string name) => new(Distributions.Standard.Items(name).Select(item => item.Item));
}
