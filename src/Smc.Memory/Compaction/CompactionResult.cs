namespace Smc.Memory;

/// <summary>What a compaction did.</summary>
/// <param name="BlocksFreed">Blocks that left the collection, empty ones among them.</param>
/// <param name="BlocksFilled">Blocks that took their rows.</param>
/// <param name="RowsMoved">Rows that are in another place now.</param>
/// <param name="BytesFreed">Bytes of the blocks that left less those of the blocks that were filled. They go back to the system when the
/// critical sections that began before have ended.</param>
/// <param name="CodesWritten">Codes of values that filters can use again: they were unknown because the values had been set since the row came to its place.</param>
/// <param name="IsComplete">False if it gave up because of its time limit or was cancelled, before all sparse blocks were moved and all codes were known.</param>
public readonly record struct CompactionResult(int BlocksFreed, int BlocksFilled, long RowsMoved, long BytesFreed, long CodesWritten, bool IsComplete);
