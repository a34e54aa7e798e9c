using Smc.Collections;
using Smc.Collections.Tests;
namespace Smc.Saving.Tests;

[Tabular]
public readonly partial struct Station
{
    public partial int Number { get; set; }

    public partial string Name { get; set; }
}

[Tabular]
public readonly partial struct Leg
{
    [Direct]
    public partial Station From { get; set; }

    [Direct]
    public partial Station? Via { get; set; }

    public partial Station To { get; set; }

    public partial int Length { get; set; }
}

[Tabular, Unique(nameof(Town), nameof(Number))]
public readonly partial struct Shop
{
    [Key] public partial long Id { get; set; }

    [Unique] public partial string? Email { get; set; }

    public partial string Town { get; set; }

    public partial int Number { get; set; }
}
