namespace TpcH.Running;

/// <summary>How queries get from row to row.</summary>
internal static class JoinNames
{
    public const string References = "references";

    public static IReadOnlyList<string> All { get; } = [References];
}
