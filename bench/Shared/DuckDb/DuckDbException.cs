namespace Bench.Shared.DuckDb;

/// <summary>DuckDB refused something; the message is its own.</summary>
internal sealed class DuckDbException(string message) : Exception(message);
