namespace TpcH.Pauses;

/// <summary>A line of the study.</summary>
/// <param name="Rows">Lineitems that the measurement is about.</param>
/// <param name="BytesPerRow">Of a lineitem, all overheads included; null where there are none.</param>
internal sealed record PauseRow(long Rows, string Holder, PauseSample Pause, double? BytesPerRow);
