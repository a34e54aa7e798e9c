using System.Globalization;

namespace TpcH.Dbgen;

/// <summary>Names made of a word and a number of at least nine digits: <c>Clerk#000000951</c>.</summary>
internal static class NumberedName
{
    public static string Of(string word, int number) => string.Create(CultureInfo.InvariantCulture, $"{word}#{number:D9}");
}
