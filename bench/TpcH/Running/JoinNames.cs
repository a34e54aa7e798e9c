namespace TpcH.Running;

/// <summary>How queries get from row to row.</summary>
internal static class JoinNames
{
    public const string References = "references";
    public const string Keys = "keys";

    public static IReadOnlyList<string> All { get; } = [References, Keys];

    public static string Of(JoinStyle joins) => joins == JoinStyle.Keys ? Keys : References;

    public static JoinStyle Parse(string name) => name == Keys ? JoinStyle.Keys : JoinStyle.References;
}
