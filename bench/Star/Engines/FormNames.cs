namespace Star.Engines;

/// <summary>How the forms of LINQ texts are called on the command line and in tables.</summary>
internal static class FormNames
{
    private const string Navigation = "navigation";
    private const string Joins = "joins";

    public static IReadOnlyList<string> All { get; } = [Navigation, Joins];

    public static string Of(QueryForm form) => form == QueryForm.Joins ? Joins : Navigation;

    public static QueryForm Parse(string name) => name == Joins ? QueryForm.Joins : QueryForm.Navigation;
}
