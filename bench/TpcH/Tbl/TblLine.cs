using System.Text;
using System.Text.Unicode;

namespace TpcH.Tbl;

/// <summary>Takes one line of a .tbl file apart, field by field. <paramref name="offset"/> is where the line starts in the file.</summary>
internal ref struct TblLine(TblFile file, long offset, ReadOnlySpan<byte> line)
{
    // DECIMAL(15,2) has thirteen digits before the point and two after it.
    private const int MoneyWholeDigits = 13;
    private const int MoneyFractionDigits = 2;

    // Eighteen digits always fit in 64 bits; no key of TPC-H has as many.
    private const int LongestInteger = 18;
    private const int LongestQuotedText = 80;

    private ReadOnlySpan<byte> rest = line;
    private int columnsRead;

    public int Int32()
    {
        ReadOnlySpan<byte> field = NextField();
        return TryInteger(field, out long value) && value == (int)value ? (int)value : throw Malformed("not a 32-bit integer", field);
    }

    public long Int64()
    {
        ReadOnlySpan<byte> field = NextField();
        return TryInteger(field, out long value) ? value : throw Malformed("not an integer", field);
    }

    public decimal Money()
    {
        ReadOnlySpan<byte> field = NextField();
        return TryHundredths(field, out long hundredths)
            ? Hundredths.ToDecimal(hundredths)
            : throw Malformed("not a number with at most 13 digits before and 2 after the point", field);
    }

    public DateOnly Date()
    {
        ReadOnlySpan<byte> field = NextField();
        return TryDate(field, out DateOnly date) ? date : throw Malformed("not a date of the form yyyy-MM-dd", field);
    }

    public char Character()
    {
        ReadOnlySpan<byte> field = NextField();
        return field.Length == 1 && Ascii.IsValid(field) ? (char)field[0] : throw Malformed("not a single ASCII character", field);
    }

    public string Text() => Decode(NextField());

    /// <summary>A text that is probably one of few; those share their strings.</summary>
    public string Text(TextDomain domain)
    {
        ReadOnlySpan<byte> field = NextField();
        return domain.Find(field) ?? Decode(field);
    }

    public readonly void End()
    {
        if (!rest.IsEmpty)
            throw Malformed(columnsRead + 1, $"after {file.Table.Columns[^1]}", "the line goes on after its last column", rest);
    }

    /// <summary>The error for a line that has no end within reason: this instance has its beginning, unread.</summary>
    public readonly TblFormatException TooLong() =>
        Malformed(1, file.Table.Columns[0], $"the line is longer than {rest.Length} bytes; it starts with", rest);

    private ReadOnlySpan<byte> NextField()
    {
        columnsRead++;
        int end = rest.IndexOf((byte)'|');
        if (end < 0)
            throw Malformed(rest.IsEmpty ? "the line ends before this column" : "the '|' after the field is missing", rest);
        ReadOnlySpan<byte> field = rest[..end];
        rest = rest[(end + 1)..];
        return field;
    }

    private readonly string Decode(ReadOnlySpan<byte> field) =>
        Utf8.IsValid(field) ? Encoding.UTF8.GetString(field) : throw Malformed("not valid UTF-8", field);

    private static bool TryInteger(ReadOnlySpan<byte> field, out long value)
    {
        bool negative = field is [(byte)'-', ..];
        bool valid = TryDigits(negative ? field[1..] : field, LongestInteger, out value);
        value = negative ? -value : value;
        return valid;
    }

    private static bool TryHundredths(ReadOnlySpan<byte> field, out long hundredths)
    {
        hundredths = 0;
        bool negative = field is [(byte)'-', ..];
        ReadOnlySpan<byte> magnitude = negative ? field[1..] : field;
        int point = magnitude.IndexOf((byte)'.');
        ReadOnlySpan<byte> fraction = point < 0 ? "00"u8 : magnitude[(point + 1)..];
        if (!TryDigits(point < 0 ? magnitude : magnitude[..point], MoneyWholeDigits, out long whole)
            || !TryDigits(fraction, MoneyFractionDigits, out long fractionDigits))
            return false;
        hundredths = whole * 100 + (fraction.Length == 1 ? fractionDigits * 10 : fractionDigits);
        hundredths = negative ? -hundredths : hundredths;
        return true;
    }

    private static bool TryDate(ReadOnlySpan<byte> field, out DateOnly date)
    {
        date = default;
        if (field.Length != 10 || field[4] != '-' || field[7] != '-'
            || !TryDigits(field[..4], 4, out long year) || !TryDigits(field[5..7], 2, out long month) || !TryDigits(field[8..], 2, out long day)
            || year < 1 || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth((int)year, (int)month))
            return false;
        date = new DateOnly((int)year, (int)month, (int)day);
        return true;
    }

    private static bool TryDigits(ReadOnlySpan<byte> digits, int atMost, out long value)
    {
        value = 0;
        foreach (byte digit in digits)
        {
            if (!char.IsAsciiDigit((char)digit))
                return false;
            value = value * 10 + (digit - '0');
        }
        return digits.Length > 0 && digits.Length <= atMost;
    }

    private readonly TblFormatException Malformed(string problem, ReadOnlySpan<byte> text) =>
        Malformed(columnsRead, file.Table.Columns[columnsRead - 1], problem, text);

    private readonly TblFormatException Malformed(int columnNumber, string columnName, string problem, ReadOnlySpan<byte> text)
    {
        string shown = Encoding.UTF8.GetString(text[..Math.Min(text.Length, LongestQuotedText)]);
        string quoted = text.Length > LongestQuotedText ? shown + "…" : shown;
        return new TblFormatException(file.Path, file.LineNumberAt(offset), columnNumber, columnName, problem, quoted);
    }
}
