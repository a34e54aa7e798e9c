using Bench.Shared.DuckDb;

namespace TpcH.Engines.DuckDb;

/// <summary>The eight tables, with the types that DuckDB's own TPC-H generator uses. The fields share scratch space: one load at a time.</summary>
internal sealed class DuckDbSchema
{
    public DuckDbTable<RegionRow> Region { get; } = new DuckDbTable<RegionRow>("region")
        .Integer("r_regionkey", (in row) => row.RegionKey)
        .Text("r_name", (in row) => row.Name)
        .Text("r_comment", (in row) => row.Comment);

    public DuckDbTable<NationRow> Nation { get; } = new DuckDbTable<NationRow>("nation")
        .Integer("n_nationkey", (in row) => row.NationKey)
        .Text("n_name", (in row) => row.Name)
        .Integer("n_regionkey", (in row) => row.RegionKey)
        .Text("n_comment", (in row) => row.Comment);

    public DuckDbTable<PartRow> Part { get; } = new DuckDbTable<PartRow>("part")
        .Integer("p_partkey", (in row) => row.PartKey)
        .Text("p_name", (in row) => row.Name)
        .Text("p_mfgr", (in row) => row.Mfgr)
        .Text("p_brand", (in row) => row.Brand)
        .Text("p_type", (in row) => row.Type)
        .Integer("p_size", (in row) => row.Size)
        .Text("p_container", (in row) => row.Container)
        .Money("p_retailprice", (in row) => row.RetailPrice)
        .Text("p_comment", (in row) => row.Comment);

    public DuckDbTable<SupplierRow> Supplier { get; } = new DuckDbTable<SupplierRow>("supplier")
        .Integer("s_suppkey", (in row) => row.SuppKey)
        .Text("s_name", (in row) => row.Name)
        .Text("s_address", (in row) => row.Address)
        .Integer("s_nationkey", (in row) => row.NationKey)
        .Text("s_phone", (in row) => row.Phone)
        .Money("s_acctbal", (in row) => row.AcctBal)
        .Text("s_comment", (in row) => row.Comment);

    public DuckDbTable<PartSuppRow> PartSupp { get; } = new DuckDbTable<PartSuppRow>("partsupp")
        .Integer("ps_partkey", (in row) => row.PartKey)
        .Integer("ps_suppkey", (in row) => row.SuppKey)
        .Integer("ps_availqty", (in row) => row.AvailQty)
        .Money("ps_supplycost", (in row) => row.SupplyCost)
        .Text("ps_comment", (in row) => row.Comment);

    public DuckDbTable<CustomerRow> Customer { get; } = new DuckDbTable<CustomerRow>("customer")
        .Integer("c_custkey", (in row) => row.CustKey)
        .Text("c_name", (in row) => row.Name)
        .Text("c_address", (in row) => row.Address)
        .Integer("c_nationkey", (in row) => row.NationKey)
        .Text("c_phone", (in row) => row.Phone)
        .Money("c_acctbal", (in row) => row.AcctBal)
        .Text("c_mktsegment", (in row) => row.MktSegment)
        .Text("c_comment", (in row) => row.Comment);

    public DuckDbTable<OrderRow> Orders { get; } = new DuckDbTable<OrderRow>("orders")
        .BigInt("o_orderkey", (in row) => row.OrderKey)
        .Integer("o_custkey", (in row) => row.CustKey)
        .Character("o_orderstatus", (in row) => row.OrderStatus)
        .Money("o_totalprice", (in row) => row.TotalPrice)
        .Date("o_orderdate", (in row) => row.OrderDate)
        .Text("o_orderpriority", (in row) => row.OrderPriority)
        .Text("o_clerk", (in row) => row.Clerk)
        .Integer("o_shippriority", (in row) => row.ShipPriority)
        .Text("o_comment", (in row) => row.Comment);

    public DuckDbTable<LineItemRow> LineItem { get; } = new DuckDbTable<LineItemRow>("lineitem")
        .BigInt("l_orderkey", (in row) => row.OrderKey)
        .Integer("l_partkey", (in row) => row.PartKey)
        .Integer("l_suppkey", (in row) => row.SuppKey)
        .Integer("l_linenumber", (in row) => row.LineNumber)
        .Money("l_quantity", (in row) => row.Quantity)
        .Money("l_extendedprice", (in row) => row.ExtendedPrice)
        .Money("l_discount", (in row) => row.Discount)
        .Money("l_tax", (in row) => row.Tax)
        .Character("l_returnflag", (in row) => row.ReturnFlag)
        .Character("l_linestatus", (in row) => row.LineStatus)
        .Date("l_shipdate", (in row) => row.ShipDate)
        .Date("l_commitdate", (in row) => row.CommitDate)
        .Date("l_receiptdate", (in row) => row.ReceiptDate)
        .Text("l_shipinstruct", (in row) => row.ShipInstruct)
        .Text("l_shipmode", (in row) => row.ShipMode)
        .Text("l_comment", (in row) => row.Comment);

    public string CreateStatement(Table table) => table switch
    {
        Table.Region => Region.CreateStatement,
        Table.Nation => Nation.CreateStatement,
        Table.Part => Part.CreateStatement,
        Table.Supplier => Supplier.CreateStatement,
        Table.PartSupp => PartSupp.CreateStatement,
        Table.Customer => Customer.CreateStatement,
        Table.Orders => Orders.CreateStatement,
        Table.LineItem => LineItem.CreateStatement,
        _ => throw new ArgumentOutOfRangeException(nameof(table), table, "Not a table of TPC-H."),
    };
}
