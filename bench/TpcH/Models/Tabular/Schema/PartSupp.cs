using Smc.Collections;

namespace TpcH.Model;

[Tabular(Layout = SchemaLayout.Value)]
internal readonly partial struct PartSupp
{
    public partial int PartKey { get; set; }

    public partial Part Part { get; set; }

    public partial int SuppKey { get; set; }

    public partial Supplier Supplier { get; set; }

    public partial int AvailQty { get; set; }

    [Precision(15, 2)]
    public partial decimal SupplyCost { get; set; }

    public partial string Comment { get; set; }
}
