using Smc.Collections;

namespace TpcH.Model;

[Tabular(Layout = SchemaLayout.Value)]
internal readonly partial struct Region
{
    public partial int RegionKey { get; set; }

    public partial string Name { get; set; }

    public partial string Comment { get; set; }
}
