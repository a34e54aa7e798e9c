using System.Text;

namespace TpcH.Dbgen;

/// <summary>Sentence forms, phrase forms and words of the text pool. Words carry the space that follows them.</summary>
internal sealed class TextGrammar
{
    private static readonly Distributions Lists = Distributions.Standard;

    private readonly PickTable<byte[]> nouns = Words("nouns");
    private readonly PickTable<byte[]> verbs = Words("verbs");
    private readonly PickTable<byte[]> adjectives = Words("adjectives");
    private readonly PickTable<byte[]> adverbs = Words("adverbs");
    private readonly PickTable<byte[]> auxiliaries = Words("auxillaries");

    public TextGrammar()
    {
        NounPhrases = Lists.Table("np").Select(form => Phrase(form, NounPhraseWords));
        VerbPhrases = Lists.Table("vp").Select(form => Phrase(form, VerbPhraseWords));
    }

    public PickTable<char[]> Sentences { get; } = Lists.Table("grammar").Select(form => form.Replace(" ", "", StringComparison.Ordinal).ToCharArray());

    public PickTable<PhraseWord[]> NounPhrases { get; }

    public PickTable<PhraseWord[]> VerbPhrases { get; }

    /// <summary>Every preposition is followed by the article.</summary>
    public PickTable<byte[]> Prepositions { get; } = Lists.Table("prepositions").Select(word => Encoding.ASCII.GetBytes(word + " the "));

    public PickTable<byte[]> Terminators { get; } = Words("terminators");

    private static PickTable<byte[]> Words(string list) => Lists.Table(list).Select(word => Encoding.ASCII.GetBytes(word + " "));

    private static PhraseWord[] Phrase(string form, Func<char, PickTable<byte[]>> words) =>
        [.. form.Split(' ').Select(symbol => new PhraseWord(words(symbol[0]), symbol.EndsWith(',')))];

    private PickTable<byte[]> NounPhraseWords(char symbol) => symbol switch
    {
        'J' => adjectives,
        'D' => adverbs,
        'N' => nouns,
        _ => throw UnknownSymbol(symbol),
    };

    private PickTable<byte[]> VerbPhraseWords(char symbol) => symbol switch
    {
        'V' => verbs,
        'X' => auxiliaries,
        'D' => adverbs,
        _ => throw UnknownSymbol(symbol),
    };

    public static InvalidDataException UnknownSymbol(char symbol) => new($"dists.json: a grammar form uses the unknown symbol '{symbol}'.");
}

internal readonly record struct PhraseWord(PickTable<byte[]> Words, bool CommaFollows);
