namespace TpcH;

/// <param name="Type">What the types of parts must not begin with.</param>
/// <param name="Sizes">Eight of them.</param>
public sealed record Q16Parameters(string Brand, string Type, IReadOnlyList<int> Sizes) : QueryParameters
{
    private const int SizeCount = 8;

    public override IReadOnlyDictionary<string, string> SqlLiterals
    {
        get
        {
            var literals = new Dictionary<string, string> { ["BRAND"] = Sql(Brand), ["TYPE"] = Sql(Type) };
            for (int i = 0; i < Sizes.Count; i++)
                literals.Add(SizeName(i), Sql(Sizes[i]));
            return literals;
        }
    }

    public static Q16Parameters Read(ParameterValues values) =>
        new(values.Text("BRAND"), values.Text("TYPE"), [.. Enumerable.Range(0, SizeCount).Select(i => values.Integer(SizeName(i)))]);

    private static string SizeName(int index) => Numbered("SIZE", index);
}
