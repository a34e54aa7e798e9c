using System.ComponentModel;
using System.Globalization;
using System.Text;
using Smc.Memory;

namespace Smc.Collections.Kernels;

/// <summary>Builds the text of a row: <c>Order { Key = 1, Customer = Customer#12, Comment = "first" }</c>.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class RowText
{
    private const int LongestText = 100;

    private readonly StringBuilder _text;
    private bool _hasValues;

    /// <summary>Begins the text of a row.</summary>
    public RowText(string rowType) => _text = new StringBuilder(rowType).Append(" { ");

    /// <summary>The text of a handle whose row cannot be read.</summary>
    public static string Unreadable(string rowType, bool isNull) => rowType + (isNull ? " (null)" : " (removed)");

    /// <summary>Adds a value.</summary>
    public RowText Value<T>(string property, T value)
    {
        Begin(property);
        _ = value switch
        {
            null => _text.Append("null"),
            string text => _text.Append('"').Append(Shortened(text)).Append('"'),
            char c => _text.Append('\'').Append(c).Append('\''),
            DateTime or DateTimeOffset or DateOnly or TimeOnly => _text.AppendFormat(CultureInfo.InvariantCulture, "{0:o}", value),
            ReadOnlyMemory<byte> bytes => _text.Append(CultureInfo.InvariantCulture, $"{bytes.Length} bytes"),
            IFormattable formattable => _text.Append(formattable.ToString(null, CultureInfo.InvariantCulture)),
            _ => _text.Append(value),
        };
        return this;
    }

    /// <summary>Adds a reference, by the number of its row and without its values: rows may refer to each other in circles.</summary>
    public RowText Reference<T>(string property, T row)
        where T : unmanaged
    {
        Begin(property);
        ulong handle = RowHandle.ToBits(row);
        if (handle == 0)
            _text.Append("null");
        else if (!Handle.IsAlive(handle) || MemoryContext.Find(handle) is not { } context)
            _text.Append(typeof(T).Name).Append(" (removed)");
        else
            _text.Append(CultureInfo.InvariantCulture, $"{typeof(T).Name}#{Handle.EntryNumber(handle) - context.Entries.First.Number}");
        return this;
    }

    /// <summary>Adds an optional reference.</summary>
    public RowText Reference<T>(string property, T? row)
        where T : unmanaged => Reference(property, row.GetValueOrDefault());

    /// <inheritdoc/>
    public override string ToString() => _text + " }";

    private static string Shortened(string text) => text.Length <= LongestText ? text : string.Concat(text.AsSpan(0, LongestText), "…");

    private void Begin(string property)
    {
        _text.Append(_hasValues ? ", " : "").Append(property).Append(" = ");
        _hasValues = true;
    }
}
