using System.Text.Json;

namespace TpcH.Dbgen;

/// <summary>dbgen's word lists and weights, from the embedded <c>dists.json</c>.</summary>
public sealed class Distributions
{
    private readonly JsonElement lists;

    private Distributions(JsonElement lists)
    {
        this.lists = lists;
        Types = Table("p_types");
        Containers = Table("p_cntr");
        Instructions = Table("instruct");
        Modes = Table("smode");
        Segments = Table("msegmnt");
        Priorities = Table("o_oprio");
        ReturnFlags = Table("rflag").Select(text => text[0]);
        Colors = [.. Items("colors").Select(color => color.Item)];
        Nations = Items("nations");
        Regions = Items("regions");
    }

    public static Distributions Standard { get; } = Load();

    public PickTable<string> Types { get; }

    public PickTable<string> Containers { get; }

    public PickTable<string> Instructions { get; }

    public PickTable<string> Modes { get; }

    public PickTable<string> Segments { get; }

    public PickTable<string> Priorities { get; }

    public PickTable<char> ReturnFlags { get; }

    /// <summary>The words of part names, in the order in which they are shuffled.</summary>
    public IReadOnlyList<string> Colors { get; }

    /// <summary>The running sum of the weights is the region's key.</summary>
    public IReadOnlyList<WeightedItem<string>> Nations { get; }

    public IReadOnlyList<WeightedItem<string>> Regions { get; }

    public PickTable<string> Table(string name) => new(Items(name));

    public IReadOnlyList<WeightedItem<string>> Items(string name) =>
        [.. lists.GetProperty(name).GetProperty("items").EnumerateArray()
            .Select(item => new WeightedItem<string>(item[0].GetString()!, item[1].GetInt32()))];

    private static Distributions Load()
    {
        using Stream json = EmbeddedFile.Open("dists.json");
        using JsonDocument document = JsonDocument.Parse(json);
        return new Distributions(document.RootElement.GetProperty("distributions").Clone());
    }
}
