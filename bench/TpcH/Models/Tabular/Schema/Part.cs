using Smc.Collections;

namespace TpcH.Model;

[Tabular(Layout = SchemaLayout.Value)]
internal readonly partial struct Part
{
    public partial int PartKey { get; set; }

    public partial string Name { get; set; }

    public partial string Mfgr { get; set; }

    public partial string Brand { get; set; }

    public partial string Type { get; set; }

    public partial int Size { get; set; }

    public partial string Container { get; set; }

    [Precision(15, 2)]
    public partial decimal RetailPrice { get; set; }

    public partial string Comment { get; set; }
}
