namespace Bench.Shared.DuckDb;

/// <summary>The types of DuckDB's C interface that this program writes or reads (<c>duckdb_type</c>).</summary>
internal enum DuckDbType
{
    SmallInt = 3,
    Integer = 4,
    BigInt = 5,
    Double = 11,
    Date = 13,
    HugeInt = 16,
    Varchar = 17,
    Decimal = 19,
}
