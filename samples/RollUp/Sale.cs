namespace RollUp;

/// <summary>A sale, as it comes from a stream.</summary>
public readonly record struct Sale(string Country, DateOnly Day, string Product, int Units, decimal Price)
{
    private static readonly string[] s_countries = ["NO", "PT", "SE"];
    private static readonly string[] s_products = ["apples", "bread", "cheese", "dates"];

    /// <summary>A stream of sales in January and February 2026, the same for the same seed.</summary>
    public static IEnumerable<Sale> Stream(int seed, int count)
    {
        Random random = new(seed);
        for (int i = 0; i < count; i++)
        {
            yield return new Sale(
                s_countries[random.Next(s_countries.Length)],
                new DateOnly(2026, 1, 1).AddDays(random.Next(59)),
                s_products[random.Next(s_products.Length)],
                random.Next(1, 10),
                random.Next(100, 2_000) / 100m);
        }
    }
}
