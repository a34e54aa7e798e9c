using Smc.Collections;

namespace TpcH;

/// <summary>Writes the rows of a table in a format, whatever their type.</summary>
public interface ITableWriter
{
    void Write<T>(Collection<T> rows)
        where T : unmanaged;
}
