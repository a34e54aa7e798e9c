namespace TpcH.Tbl;

/// <summary>What tells that a .tbl file is dbgen's: rows, bytes, and the MD5 in lower-case hexadecimal.</summary>
public readonly record struct FileChecksum(long Rows, long Bytes, string Md5);
