using System.Globalization;

namespace TpcH.Dbgen;

/// <summary>Phone numbers; the country code tells the nation.</summary>
internal struct PhoneStream(StreamDefinition definition, long row)
{
    private const int FirstCountryCode = 10;

    private RandomStream stream = new(definition, row);

    public string Next(int nationKey)
    {
        int area = stream.Between(100, 999);
        int exchange = stream.Between(100, 999);
        int number = stream.Between(1000, 9999);
        stream.EndRow();
        return string.Create(CultureInfo.InvariantCulture, $"{FirstCountryCode + nationKey}-{area}-{exchange}-{number}");
    }
}
