using Smc.Collections;

namespace Star.Model;

[Tabular(Layout = TabularLayout.Columnar)]
internal readonly partial struct Customer
{
    public partial int Key { get; set; }

    public partial string Name { get; set; }

    public partial string City { get; set; }

    public partial string Nation { get; set; }

    public partial string Region { get; set; }

    public partial string Segment { get; set; }
}
