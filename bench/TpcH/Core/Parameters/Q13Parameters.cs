namespace TpcH;

public sealed record Q13Parameters(string Word1, string Word2) : QueryParameters
{
    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["WORD1"] = Sql(Word1), ["WORD2"] = Sql(Word2) };

    public static Q13Parameters Read(ParameterValues values) => new(values.Text("WORD1"), values.Text("WORD2"));
}
