namespace TpcH;

/// <param name="Color">A word of part names.</param>
public sealed record Q09Parameters(string Color) : QueryParameters
{
    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["COLOR"] = Sql(Color) };

    public static Q09Parameters Read(ParameterValues values) => new(values.Text("COLOR"));
}
