using System.Runtime.InteropServices;

namespace TpcH.Snapshots;

/// <summary>A query over the live tables and over a snapshot of them, while nobody writes.</summary>
/// <param name="Query">Its name.</param>
/// <param name="Live">The least milliseconds over the tables.</param>
/// <param name="Snapshot">The least milliseconds over the snapshot.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct QueryTimes(string Query, double Live, double Snapshot);

/// <summary>Rounds of refreshes.</summary>
/// <param name="Rows">Rows that were inserted and removed.</param>
/// <param name="Time">How long it took.</param>
/// <param name="LongestAtFirst">The longest time between two insertions of the first round, in which methods are compiled, without the time for which the thread waited for a processor.</param>
/// <param name="LongestInsertion">The same of the rounds after it; of the first if there are none.</param>
internal sealed record RefreshTimes(long Rows, TimeSpan Time, TimeSpan LongestAtFirst, TimeSpan LongestInsertion);

/// <summary>What was measured.</summary>
/// <param name="Unchanged">The queries while nobody writes.</param>
/// <param name="Take">The longest of the calls that took a snapshot while a writer was at work.</param>
/// <param name="Takes">How many these were.</param>
/// <param name="Without">Refreshes without a snapshot.</param>
/// <param name="With">Refreshes under open snapshots.</param>
/// <param name="Bytes">The most bytes that a snapshot kept.</param>
/// <param name="Checked">Answers over snapshots under refreshes that were compared.</param>
/// <param name="Problem">The first wrong answer, or null.</param>
internal sealed record SnapshotFigures(
    IReadOnlyList<QueryTimes> Unchanged, TimeSpan Take, int Takes, RefreshTimes Without, RefreshTimes With, long Bytes, int Checked, string? Problem);
