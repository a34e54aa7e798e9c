namespace TpcH.Dbgen;

/// <summary>Makes the sentences of the text pool one after the other from a state of its stream.</summary>
internal sealed class SentenceWriter(TextGrammar grammar, uint state)
{
    // More than twice the longest sentence that the grammar can make.
    private readonly byte[] sentence = new byte[1024];
    private RandomStream stream = RandomStream.FromState(state);
    private int length;

    /// <summary>The next sentence with the space that follows it; valid until the next call.</summary>
    public ReadOnlySpan<byte> Next()
    {
        length = 0;
        foreach (char symbol in grammar.Sentences.Pick(ref stream))
            AppendPart(symbol);
        return sentence.AsSpan(0, length);
    }

    private void AppendPart(char symbol)
    {
        switch (symbol)
        {
            case 'N':
                AppendPhrase(grammar.NounPhrases);
                break;
            case 'V':
                AppendPhrase(grammar.VerbPhrases);
                break;
            case 'P':
                Append(grammar.Prepositions.Pick(ref stream));
                AppendPhrase(grammar.NounPhrases);
                break;
            case 'T':
                length--;
                Append(grammar.Terminators.Pick(ref stream));
                break;
            default:
                throw TextGrammar.UnknownSymbol(symbol);
        }
    }

    private void AppendPhrase(PickTable<PhraseWord[]> forms)
    {
        foreach (PhraseWord word in forms.Pick(ref stream))
        {
            Append(word.Words.Pick(ref stream));
            if (word.CommaFollows)
                InsertCommaBeforeSpace();
        }
    }

    private void InsertCommaBeforeSpace()
    {
        sentence[length - 1] = (byte)',';
        sentence[length++] = (byte)' ';
    }

    private void Append(byte[] word)
    {
        word.CopyTo(sentence.AsSpan(length));
        length += word.Length;
    }
}
