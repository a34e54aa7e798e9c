namespace Smc.Data.Checksums;

/// <summary>Finds a text although some of its bytes are damaged: a file must not pass for one without checksums because what says that it has some was hit.</summary>
internal static class DamagedText
{
    /// <summary>Where the text is, or -1: the last place with all of its bytes, otherwise the one with the most, at least three of four.</summary>
    public static int LastIndexOf(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> text)
    {
        int exact = bytes.LastIndexOf(text);
        if (exact >= 0)
            return exact;
        int most = (text.Length * 3 / 4) - 1;
        int place = -1;
        for (int i = 0; i <= bytes.Length - text.Length; i++)
        {
            int equal = 0;
            for (int j = 0; j < text.Length; j++)
                equal += bytes[i + j] == text[j] ? 1 : 0;
            if (equal > most)
                (most, place) = (equal, i);
        }

        return place;
    }
}
