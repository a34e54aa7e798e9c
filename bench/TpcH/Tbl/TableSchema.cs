namespace TpcH;

/// <summary>Names of files and columns, as TPC-H gives them.</summary>
public static class TableSchema
{
    private static readonly string[][] ColumnsOfTable =
    [
        ["r_regionkey", "r_name", "r_comment"],
        ["n_nationkey", "n_name", "n_regionkey", "n_comment"],
        ["p_partkey", "p_name", "p_mfgr", "p_brand", "p_type", "p_size", "p_container", "p_retailprice", "p_comment"],
        ["s_suppkey", "s_name", "s_address", "s_nationkey", "s_phone", "s_acctbal", "s_comment"],
        ["ps_partkey", "ps_suppkey", "ps_availqty", "ps_supplycost", "ps_comment"],
        ["c_custkey", "c_name", "c_address", "c_nationkey", "c_phone", "c_acctbal", "c_mktsegment", "c_comment"],
        ["o_orderkey", "o_custkey", "o_orderstatus", "o_totalprice", "o_orderdate", "o_orderpriority", "o_clerk", "o_shippriority", "o_comment"],
        [
            "l_orderkey", "l_partkey", "l_suppkey", "l_linenumber", "l_quantity", "l_extendedprice", "l_discount", "l_tax",
            "l_returnflag", "l_linestatus", "l_shipdate", "l_commitdate", "l_receiptdate", "l_shipinstruct", "l_shipmode", "l_comment",
        ],
    ];

    public static IReadOnlyList<Table> Tables { get; } = Enum.GetValues<Table>();

    extension(Table table)
    {
        public IReadOnlyList<string> Columns => ColumnsOfTable[(int)table];

        /// <summary>The table's name in dbgen's files and checksums: <c>lineitem</c>.</summary>
        public string FileStem => table.ToString().ToLowerInvariant();

        public string FileName => table.FileStem + ".tbl";
    }
}
