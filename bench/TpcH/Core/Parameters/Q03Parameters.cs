namespace TpcH;

/// <param name="Date">Orders placed before it, lines shipped after it.</param>
public sealed record Q03Parameters(string Segment, DateOnly Date) : QueryParameters
{
    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["SEGMENT"] = Sql(Segment), ["DATE"] = Sql(Date) };

    public static Q03Parameters Read(ParameterValues values) => new(values.Text("SEGMENT"), values.Date("DATE"));
}
