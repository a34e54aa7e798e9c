using System.Globalization;

namespace TpcH.Tbl;

/// <summary>A line of a .tbl file is not what its table's columns say.</summary>
public sealed class TblFormatException(string file, long line, int columnNumber, string columnName, string problem, string text)
    : FormatException(string.Create(
        CultureInfo.InvariantCulture, $"{file}, line {line}, column {columnNumber} ({columnName}): {problem}: \"{text}\""))
{
    public string File => file;

    /// <summary>Counts from 1.</summary>
    public long Line => line;

    /// <summary>Counts from 1; one more than the table has columns when the line goes on after the last.</summary>
    public int ColumnNumber => columnNumber;

    public string ColumnName => columnName;

    /// <summary>The offending text, shortened when long.</summary>
    public string Text => text;
}
