namespace Smc.Collections.Tests;

/// <summary>What sales refer to.</summary>
[Tabular]
public readonly partial struct Place
{
    public partial int Number { get; set; }
    public partial string Name { get; set; }
}

/// <summary>A fact with references to several rows.</summary>
[Tabular]
public readonly partial struct Sale
{
    public partial int Number { get; set; }
    public partial Place From { get; set; }
    public partial Place To { get; set; }
    public partial Place Over { get; set; }
    public partial Place At { get; set; }

    [Precision(18, 2)]
    public partial decimal Price { get; set; }
}

/// <summary>Leads to a fact, and by it to the rows that the fact refers to.</summary>
[Tabular]
public readonly partial struct Receipt
{
    public partial int Number { get; set; }
    public partial Sale Sale { get; set; }
}
