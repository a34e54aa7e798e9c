namespace TpcH;

public sealed record Q02Parameters(int Size, string Type, string Region) : QueryParameters
{
    public override IReadOnlyDictionary<string, string> SqlLiterals =>
        new Dictionary<string, string> { ["SIZE"] = Sql(Size), ["TYPE"] = Sql(Type), ["REGION"] = Sql(Region) };

    public static Q02Parameters Read(ParameterValues values) => new(values.Integer("SIZE"), values.Text("TYPE"), values.Text("REGION"));
}
