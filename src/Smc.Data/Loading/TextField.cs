using System.Data.Common;

namespace Smc.Data.Loading;

/// <summary>A column of texts, such as a CSV file has throughout: its characters without a string for each, where the source can give them.</summary>
internal sealed class TextField
{
    private readonly char[] _characters = new char[256];
    private bool _hasOnlyStrings;

    private TextField()
    {
    }

    /// <summary>The column, or null if it has values of another type.</summary>
    public static TextField? Of(DbDataReader reader, int ordinal) => reader.GetFieldType(ordinal) == typeof(string) ? new TextField() : null;

    /// <summary>A column whose texts are objects.</summary>
    public static TextField OfStrings() => new() { _hasOnlyStrings = true };

    /// <summary>The text, until the next call.</summary>
    public ReadOnlySpan<char> Read(DbDataReader reader, int ordinal)
    {
        if (!_hasOnlyStrings)
        {
            try
            {
                long length = reader.GetChars(ordinal, 0, _characters, 0, _characters.Length);
                if (length < _characters.Length)
                    return _characters.AsSpan(0, (int)length);
            }
            catch (Exception e) when (e is NotSupportedException or InvalidCastException or NotImplementedException)
            {
                _hasOnlyStrings = true;
            }
        }

        return reader.GetString(ordinal);
    }
}
