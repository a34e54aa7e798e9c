using Smc.Memory;

namespace TpcH;

/// <summary>The tables in self-managed collections.</summary>
public interface ITabularDatabase : IModelDatabase
{
    /// <summary>Every byte that the table's collection has mapped: rows, strings, indirection, headers, and what is free in its blocks.</summary>
    long MappedBytes(Table table);

    /// <summary>The line items once more, in a collection of their own whose memory comes from <paramref name="manager"/>.</summary>
    ILineItems CopyLineItems(MemoryManager manager);

    /// <summary>The C# that the query was compiled to, or null when the program was built elsewhere.</summary>
    string? KernelSource(QueryDefinition query);
}
