namespace TpcH.Tbl;

/// <summary>A file against its reference checksum; null means that there is no reference, or no file.</summary>
public sealed record TableVerification(Table Table, FileChecksum? Expected, FileChecksum? Actual)
{
    public bool IsOk => Expected is not null && Expected == Actual;

    public string Verdict => (Expected, Actual) switch
    {
        (_, null) => $"{Table.FileName} is missing",
        (null, _) => "no reference checksum",
        ({ } expected, { } actual) when expected == actual => "ok",
        ({ } expected, { } actual) =>
            $"differs: expected {expected.Rows} rows, {expected.Bytes} bytes, MD5 {expected.Md5}; "
            + $"found {actual.Rows} rows, {actual.Bytes} bytes, MD5 {actual.Md5}",
    };
}
