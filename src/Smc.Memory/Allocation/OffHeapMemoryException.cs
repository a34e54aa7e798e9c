namespace Smc.Memory;

/// <summary>
/// The exception that is thrown when native memory runs out: the limit of a <see cref="MemoryManager"/>, the row numbers of a collection or a query, or the
/// memory of the system. The message says which, and what to do. The operation that threw has changed nothing.
/// </summary>
public sealed class OffHeapMemoryException(string message) : OutOfMemoryException(message);
