namespace Smc.Memory;

/// <summary>
/// Memory outside the managed heap ran out: the limit of a <see cref="MemoryManager"/>, the row numbers of a collection or a query, or the system's
/// memory. The message says which and what to do; the operation that threw has changed nothing.
/// </summary>
public sealed class OffHeapMemoryException(string message) : OutOfMemoryException(message);
