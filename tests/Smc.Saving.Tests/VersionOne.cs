using Smc.Collections;
using Smc.Collections.Tests;
using Smc.Memory;

namespace Smc.Saving.Tests;

/// <summary>The rows in the file of version 1 that is kept in the repository. <c>SMC_WRITE_VERSION1=path</c> writes it; a later format gets a file of its own.</summary>
internal static class VersionOne
{
    /// <summary>The rows as text.</summary>
    public static List<string> Describe(MemoryManager manager)
    {
        using Collection<ColumnValues> values = new(new CollectionOptions { Manager = manager, Name = "values" });
        using Collection<Station> stations = new(new CollectionOptions { Manager = manager, Name = "stations" });
        using Collection<Leg> legs = new(new CollectionOptions { Manager = manager, Name = "legs" });
        using Collection<Shop> shops = new(new CollectionOptions { Manager = manager, Name = "shops" });
        Random random = new(1);
        for (int i = 0; i < 40; i++)
            values.AddNew(row => Values.Fill(row, random));
        Station first = stations.Add(number: 1, name: "the first station");
        Station second = stations.Add(number: 2, name: "Ost");
        legs.Add(from: first, via: null, to: second, length: 3);
        legs.Add(from: second, via: first, to: default, length: 4);
        shops.Add(id: 1, email: "a@example.org", town: "Bern", number: 1);
        shops.Add(id: 2, town: "Zürich", number: 2);
        if (Environment.GetEnvironmentVariable("SMC_WRITE_VERSION1") is { Length: > 0 } path)
            Database.Save(path, values, stations, legs, shops);
        return [.. Describe(values, legs, shops)];
    }

    public static List<string> Describe(Database database) => [.. Describe(database.Get<ColumnValues>("values"), database.Get<Leg>("legs"), database.Get<Shop>("shops"))];

    private static IEnumerable<string> Describe(Collection<ColumnValues> values, Collection<Leg> legs, Collection<Shop> shops) =>
        values.ToList().Select(row => row.ToString() + Convert.ToHexString(row.Bytes.Span))
            .Concat(legs.ToList().Select(leg => $"{leg.From.Name} {leg.Via?.Name} {(leg.To.IsNull ? "" : leg.To.Name)} {leg.Length}"))
            .Concat(shops.ToList().Select(shop => $"{shop.Id} {shop.Email} {shop.Town} {shop.Number}"));
}
