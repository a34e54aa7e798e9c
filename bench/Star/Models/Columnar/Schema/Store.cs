using Smc.Collections;

namespace Star.Model;

[Tabular(Layout = TabularLayout.Columnar)]
internal readonly partial struct Store
{
    public partial int Key { get; set; }

    public partial string Name { get; set; }

    public partial string City { get; set; }

    public partial string Format { get; set; }

    public partial int Area { get; set; }
}
