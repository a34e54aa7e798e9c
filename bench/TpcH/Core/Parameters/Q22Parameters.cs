namespace TpcH;

/// <param name="CountryCodes">The first two digits of phone numbers, seven of them.</param>
public sealed record Q22Parameters(IReadOnlyList<string> CountryCodes) : QueryParameters
{
    private const int CodeCount = 7;

    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        CountryCodes.Select((code, i) => (Name: CodeName(i), Literal: Sql(code))).ToDictionary(code => code.Name, code => code.Literal);

    public static Q22Parameters Read(ParameterValues values) =>
        new([.. Enumerable.Range(0, CodeCount).Select(i => values.Text(CodeName(i)))]);

    private static string CodeName(int index) => Numbered("I", index);
}
