using System.ComponentModel;

namespace Smc.Memory;

/// <summary>What <see cref="StringCompaction.Compact"/> did.</summary>
/// <param name="BytesMoved">Bytes of chunks that were copied.</param>
/// <param name="BytesFreed">Bytes given back to the system.</param>
/// <param name="IsComplete">
/// False if it was cancelled, or if readers or a refused mapping kept it from ending; the memory goes back later, or with the next call.
/// </param>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct StringCompactionResult(long BytesMoved, long BytesFreed, bool IsComplete);
