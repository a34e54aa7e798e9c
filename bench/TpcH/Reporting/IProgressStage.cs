namespace TpcH.Reporting;

/// <summary>How far one stage of the work is.</summary>
internal interface IProgressStage
{
    /// <summary>The part that is done, between 0 and 1. Any thread may call it.</summary>
    void Report(double fraction);

    /// <summary>What comes now, or came out: on a terminal beside the bar, otherwise a line.</summary>
    void Note(string text);
}
