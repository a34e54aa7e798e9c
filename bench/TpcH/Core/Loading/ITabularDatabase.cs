using System.Data.Common;
using Smc.Collections;
using Smc.Memory;

namespace TpcH;

/// <summary>The tables in self-managed collections.</summary>
public interface ITabularDatabase : IModelDatabase
{
    /// <summary>Every byte that the table's collection has mapped: rows, strings, indirection, headers, and what is free in its blocks.</summary>
    long MappedBytes(Table table);

    /// <summary>The rows of a table, without what refers to rows of others.</summary>
    DbDataReader Read(Table table);

    /// <summary>Writes a table, without what refers to rows of others.</summary>
    void Write(Table table, ITableWriter writer);

    /// <summary>Adds rows to a table; the rows that they refer to are found by key, so tables come in the order of <see cref="Table"/>.</summary>
    long Load(Table table, DbDataReader rows);

    /// <summary>Loads line items that refer to nothing into a collection that is dropped then: what a load costs without look-ups.</summary>
    long LoadLinesWithoutReferences(DbDataReader rows);

    /// <summary>The line items once more, in a collection of their own whose memory comes from <paramref name="manager"/>.</summary>
    ILineItems CopyLineItems(MemoryManager manager);

    /// <summary>What changes rows and no answer.</summary>
    IRowRewriter Rewriter(int seed);

    /// <summary>Compacts all tables: what collections do in the background after many changes.</summary>
    void Compact();

    /// <summary>Fixes one moment of all tables.</summary>
    ITabularMoment TakeSnapshot();

    /// <summary>Saves all tables to a file.</summary>
    SaveResult Save(string path, SaveOptions options);

    /// <summary>Saves all tables to a stream.</summary>
    SaveResult Save(Stream stream, SaveOptions options);

    /// <summary>Another database with the tables of a file.</summary>
    ITabularDatabase LoadSaved(string path, Smc.Collections.LoadOptions options);

    /// <summary>Selective queries over the tables, which indexes answer if there are any.</summary>
    IReadOnlyList<LookUp> LookUps();

    /// <summary>The classes that the query was compiled to: one for each part of it that is a query by itself, none for what is not compiled.</summary>
    IReadOnlyList<string> Kernels(QueryDefinition query, JoinStyle joins);

    /// <summary>The C# of a kernel, or null when the program was built elsewhere.</summary>
    string? KernelSource(string kernel);
}
