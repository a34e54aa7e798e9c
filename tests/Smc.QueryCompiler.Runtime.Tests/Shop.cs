using Smc.Collections;

namespace Smc.QueryCompiler.Runtime.Tests;

[Tabular]
internal readonly partial struct Buyer
{
    public partial string Name { get; set; }
}

[Tabular]
internal readonly partial struct Sale
{
    public partial int Number { get; set; }

    [Precision(15, 2)]
    public partial decimal Total { get; set; }

    public partial DateOnly Date { get; set; }

    public partial Buyer Buyer { get; set; }

    public bool IsLarge => Total > 500;
}

/// <summary>A small shop with internal row types, as most programs have them.</summary>
internal sealed class Shop : IDisposable
{
    public Shop(int sales = 300)
    {
        Buyer[] buyers = [.. new[] { "Ada", "Ben", "Cem" }.Select(name => Buyers.Add(name: name))];
        for (int i = 0; i < sales; i++)
            Sales.Add(number: i, total: i * 7 % 1000, date: new DateOnly(2024, 1, 1).AddDays(i % 30), buyer: buyers[i % 3]);
    }

    public Collection<Buyer> Buyers { get; } = new(new CollectionOptions { BlockCapacity = 64 });

    public Collection<Sale> Sales { get; } = new(new CollectionOptions { BlockCapacity = 64 });

    public void Dispose()
    {
        Sales.Dispose();
        Buyers.Dispose();
    }
}
