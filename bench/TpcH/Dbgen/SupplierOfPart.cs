namespace TpcH.Dbgen;

/// <summary>Which suppliers sell a part: four of them, spread over the whole range of keys.</summary>
internal static class SupplierOfPart
{
    public const int PerPart = 4;

    public static int Key(long partKey, int index, int suppliers)
    {
        long step = suppliers / PerPart + (partKey - 1) / suppliers;
        return (int)((partKey + index * step) % suppliers) + 1;
    }
}
