namespace Smc.Memory;

/// <summary>How far a scan for retired rows is.</summary>
/// <param name="BytesScanned">Bytes of references read or passed by so far (<see cref="ScanResult.BytesScanned"/>).</param>
/// <param name="BytesToScan">Bytes that there are, about.</param>
/// <param name="Removed">Rows reclaimed so far.</param>
public readonly record struct ScanProgress(long BytesScanned, long BytesToScan, long Removed);
