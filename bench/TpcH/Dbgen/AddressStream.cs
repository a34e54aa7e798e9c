namespace TpcH.Dbgen;

/// <summary>Addresses: 10 to 40 characters of a 64-letter alphabet, five from each draw.</summary>
internal struct AddressStream(StreamDefinition definition, long row)
{
    private const int MinimumLength = 10;
    private const int MaximumLength = 40;
    private const int CharactersPerDraw = 5;
    private const int BitsPerCharacter = 6;
    private const string Alphabet = "0123456789abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ,";

    private RandomStream stream = new(definition, row);

    public string Next()
    {
        Span<char> address = stackalloc char[MaximumLength];
        int length = stream.Between(MinimumLength, MaximumLength);
        long bits = 0;
        for (int i = 0; i < length; i++)
        {
            if (i % CharactersPerDraw == 0)
                bits = stream.NextWrapped();
            address[i] = Alphabet[(int)(bits & (Alphabet.Length - 1))];
            bits >>= BitsPerCharacter;
        }
        stream.EndRow();
        return new string(address[..length]);
    }
}
