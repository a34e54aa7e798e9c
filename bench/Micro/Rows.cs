using Smc.Collections;

namespace Micro;

/// <summary>A row of 64 bytes: eight columns of eight bytes.</summary>
[Tabular]
public readonly partial struct Trade
{
    public partial long Id { get; set; }
    public partial long Instrument { get; set; }
    public partial long Account { get; set; }
    public partial DateTime Time { get; set; }
    [Precision(15, 2)] public partial decimal Price { get; set; }
    [Precision(15, 2)] public partial decimal Quantity { get; set; }
    public partial double Weight { get; set; }
    public partial Trade Previous { get; set; }
}

/// <summary>The same row as people write it without this library.</summary>
public sealed class ManagedTrade
{
    public long Id { get; set; }
    public long Instrument { get; set; }
    public long Account { get; set; }
    public DateTime Time { get; set; }
    public decimal Price { get; set; }
    public decimal Quantity { get; set; }
    public double Weight { get; set; }
    public ManagedTrade? Previous { get; set; }
}

/// <summary>A row with a text too long for its word.</summary>
[Tabular]
public readonly partial struct Note
{
    public partial long Id { get; set; }
    public partial string Text { get; set; }
}

/// <summary>The same row as people write it without this library.</summary>
public sealed class ManagedNote
{
    public long Id { get; set; }
    public string Text { get; set; } = "";
}

[Tabular]
internal readonly partial struct Account
{
    public partial int Number { get; set; }

    public partial int Region { get; set; }
}

[Tabular]
internal readonly partial struct Shop
{
    public partial int Number { get; set; }

    public partial string City { get; set; }

    public partial int Kind { get; set; }
}

[Tabular]
internal readonly partial struct Sale
{
    public partial long Id { get; set; }

    public partial Shop Shop { get; set; }

    public partial int ShopNumber { get; set; }

    public partial DateOnly Date { get; set; }

    public partial int Quantity { get; set; }

    [Precision(12, 2)]
    public partial decimal Price { get; set; }

    [Precision(4, 2)]
    public partial decimal Discount { get; set; }

    public partial string Product { get; set; }
}
