namespace TpcH.Reporting;

/// <summary>Tells the user on stderr what the program is doing.</summary>
internal interface IProgressDisplay
{
    /// <summary>Does work that takes a while, with a way to say how far it is.</summary>
    T Stage<T>(string title, Func<IProgressStage, T> work);

    /// <summary>One line that stays.</summary>
    void Line(string text);
}
