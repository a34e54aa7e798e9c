namespace TpcH.Engines;

/// <summary>One of the rivals: a way to answer the queries over data that is loaded.</summary>
internal interface IEngine
{
    string Name { get; }

    /// <summary>How rows lie in memory, where the engine leaves a choice.</summary>
    string? Layout => null;

    /// <summary>Threads that a query uses at most.</summary>
    int Threads => 1;

    PreparedQuery Prepare(QueryParameters parameters);

    /// <summary>How the engine goes about a query, in lines of text.</summary>
    string Explain(QueryParameters parameters);
}
