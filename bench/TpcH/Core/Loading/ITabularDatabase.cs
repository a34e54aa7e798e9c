using Smc.Memory;

namespace TpcH;

/// <summary>The tables in self-managed collections.</summary>
public interface ITabularDatabase : IModelDatabase
{
    /// <summary>Every byte that the table's collection has mapped: rows, strings, indirection, headers, and what is free in its blocks.</summary>
    long MappedBytes(Table table);

    /// <summary>The line items once more, in a collection of their own whose memory comes from <paramref name="manager"/>.</summary>
    ILineItems CopyLineItems(MemoryManager manager);

    /// <summary>The classes that the query was compiled to: one for each part of it that is a query by itself, none for what is not compiled.</summary>
    IReadOnlyList<string> Kernels(QueryDefinition query, JoinStyle joins);

    /// <summary>The C# of a kernel, or null when the program was built elsewhere.</summary>
    string? KernelSource(string kernel);
}
