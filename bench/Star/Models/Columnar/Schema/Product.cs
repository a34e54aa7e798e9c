using Smc.Collections;

namespace Star.Model;

[Tabular(Layout = TabularLayout.Columnar)]
internal readonly partial struct Product
{
    public partial int Key { get; set; }

    public partial string Name { get; set; }

    public partial string Brand { get; set; }

    public partial string Category { get; set; }

    public partial string Department { get; set; }

    public partial string Colour { get; set; }

    [Precision(7, 2)]
    public partial decimal ListPrice { get; set; }
}
