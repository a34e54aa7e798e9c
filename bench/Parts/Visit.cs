using Smc.Collections;

namespace Parts;

[Tabular]
internal readonly partial struct Visit
{
    public partial long Id { get; set; }

    public partial string City { get; set; }

    public partial int Quantity { get; set; }

    [Precision(12, 2)]
    public partial decimal Price { get; set; }
}
