using Smc.Collections;

namespace TpcH.Model;

[Tabular(Layout = SchemaLayout.Value)]
internal readonly partial struct Customer
{
    public partial int CustKey { get; set; }

    public partial string Name { get; set; }

    public partial string Address { get; set; }

    public partial int NationKey { get; set; }

    public partial Nation Nation { get; set; }

    public partial string Phone { get; set; }

    [Precision(15, 2)]
    public partial decimal AcctBal { get; set; }

    public partial string MktSegment { get; set; }

    public partial string Comment { get; set; }
}
