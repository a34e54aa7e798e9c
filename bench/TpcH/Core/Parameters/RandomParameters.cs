using System.Globalization;
using TpcH.Dbgen;

namespace TpcH;

/// <summary>
/// Substitution parameters as the specification has them chosen, at random out of their domains (clauses 2.4.1.3 to 2.4.22.3). The same seed
/// gives the same values.
/// </summary>
internal sealed class RandomParameters
{
    private const int PhoneCodes = 25;
    private const int LowestPhoneCode = 10;

    private static readonly IReadOnlyList<string> Adjectives = Items("Q13a");
    private static readonly IReadOnlyList<string> Nouns = Items("Q13b");
    private static readonly IReadOnlyList<string> Regions = Items("regions");
    private static readonly IReadOnlyList<string> Nations = Items("nations");
    private static readonly IReadOnlyList<string> Types = Items("p_types");
    private static readonly IReadOnlyList<string> Containers = Items("p_cntr");
    private static readonly IReadOnlyList<string> Modes = Items("smode");
    private static readonly IReadOnlyList<string> Segments = Items("msegmnt");

    private readonly Random _random;
    private readonly double _scaleFactor;

    private RandomParameters(int seed, double scaleFactor)
    {
        _random = new Random(seed);
        _scaleFactor = scaleFactor;
    }

    /// <param name="scaleFactor">Of the data: query 11 looks for a smaller share of more data.</param>
    public static Dictionary<string, Dictionary<string, string>> Choose(int seed, double scaleFactor) =>
        new RandomParameters(seed, scaleFactor).Choose();

    private Dictionary<string, Dictionary<string, string>> Choose()
    {
        string nation8 = OneOf(Nations);
        string[] nations7 = Different(Nations, 2);
        string[] modes12 = Different(Modes, 2);
        return new Dictionary<string, Dictionary<string, string>>
        {
            ["q01"] = new() { ["DELTA"] = Number(60, 120) },
            ["q02"] = new() { ["SIZE"] = Number(1, 50), ["TYPE"] = OneOf(Types).Split(' ')[2], ["REGION"] = OneOf(Regions) },
            ["q03"] = new() { ["SEGMENT"] = OneOf(Segments), ["DATE"] = Text(new DateOnly(1995, 3, _random.Next(1, 32))) },
            ["q04"] = new() { ["DATE"] = Month(new DateOnly(1993, 1, 1), new DateOnly(1997, 10, 1)) },
            ["q05"] = new() { ["REGION"] = OneOf(Regions), ["DATE"] = Year() },
            ["q06"] = new() { ["DATE"] = Year(), ["DISCOUNT"] = "0.0" + Number(2, 9), ["QUANTITY"] = Number(24, 25) },
            ["q07"] = new() { ["NATION1"] = nations7[0], ["NATION2"] = nations7[1] },
            ["q08"] = new() { ["NATION"] = nation8, ["REGION"] = RegionOf(nation8), ["TYPE"] = OneOf(Types) },
            ["q09"] = new() { ["COLOR"] = OneOf(Distributions.Standard.Colors) },
            ["q10"] = new() { ["DATE"] = Month(new DateOnly(1993, 2, 1), new DateOnly(1995, 1, 1)) },
            ["q11"] = new() { ["NATION"] = OneOf(Nations), ["FRACTION"] = (0.0001 / _scaleFactor).ToString("0.0000000000", CultureInfo.InvariantCulture) },
            ["q12"] = new() { ["SHIPMODE1"] = modes12[0], ["SHIPMODE2"] = modes12[1], ["DATE"] = Year() },
            ["q13"] = new() { ["WORD1"] = OneOf(Adjectives), ["WORD2"] = OneOf(Nouns) },
            ["q14"] = new() { ["DATE"] = Month(new DateOnly(1993, 1, 1), new DateOnly(1997, 12, 1)) },
            ["q15"] = new() { ["DATE"] = Month(new DateOnly(1993, 1, 1), new DateOnly(1997, 10, 1)) },
            ["q16"] = Numbered("SIZE", Different([.. Enumerable.Range(1, 50)], 8), new() { ["BRAND"] = Brand(), ["TYPE"] = FirstTwoWords(OneOf(Types)) }),
            ["q17"] = new() { ["BRAND"] = Brand(), ["CONTAINER"] = OneOf(Containers) },
            ["q18"] = new() { ["QUANTITY"] = Number(312, 315) },
            ["q19"] = new()
            {
                ["BRAND1"] = Brand(),
                ["BRAND2"] = Brand(),
                ["BRAND3"] = Brand(),
                ["QUANTITY1"] = Number(1, 10),
                ["QUANTITY2"] = Number(10, 20),
                ["QUANTITY3"] = Number(20, 30),
            },
            ["q20"] = new() { ["COLOR"] = OneOf(Distributions.Standard.Colors), ["DATE"] = Year(), ["NATION"] = OneOf(Nations) },
            ["q21"] = new() { ["NATION"] = OneOf(Nations) },
            ["q22"] = Numbered("I", Different([.. Enumerable.Range(LowestPhoneCode, PhoneCodes)], 7), []),
        };
    }

    private static IReadOnlyList<string> Items(string distribution) => [.. Distributions.Standard.Items(distribution).Select(item => item.Item)];

    private static string FirstTwoWords(string type) => type[..type.LastIndexOf(' ')];

    private static string Text(DateOnly date) => date.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

    private static Dictionary<string, string> Numbered(string name, int[] values, Dictionary<string, string> others)
    {
        for (int i = 0; i < values.Length; i++)
            others.Add(string.Create(CultureInfo.InvariantCulture, $"{name}{i + 1}"), values[i].ToString(CultureInfo.InvariantCulture));
        return others;
    }

    // In dbgen's list of nations, the weights up to and including a nation's add up to the key of its region.
    private static string RegionOf(string nation)
    {
        int key = 0;
        foreach (WeightedItem<string> item in Distributions.Standard.Nations)
        {
            key += item.Weight;
            if (item.Item == nation)
                break;
        }
        return Regions[key];
    }

    private T OneOf<T>(IReadOnlyList<T> values) => values[_random.Next(values.Count)];

    private T[] Different<T>(IReadOnlyList<T> values, int count)
    {
        T[] shuffled = [.. values];
        _random.Shuffle(shuffled);
        return shuffled[..count];
    }

    private string Number(int lowest, int highest) => _random.Next(lowest, highest + 1).ToString(CultureInfo.InvariantCulture);

    private string Brand() => $"Brand#{Number(1, 5)}{Number(1, 5)}";

    private string Year() => Text(new DateOnly(_random.Next(1993, 1998), 1, 1));

    private string Month(DateOnly first, DateOnly last) =>
        Text(first.AddMonths(_random.Next((last.Year - first.Year) * 12 + last.Month - first.Month + 1)));
}
