using System.Globalization;

namespace TpcH;

/// <summary>The substitution parameters of one query, with what the specification derives from them.</summary>
public abstract record QueryParameters
{
    /// <summary>Every parameter and derived value as an SQL literal, by the name that the query's SQL has it under (<c>:NAME</c>).</summary>
    public abstract IReadOnlyDictionary<string, string> SqlLiterals { get; }

    /// <summary>The query's SQL with its parameters put in, so that a database plans it with all values known.</summary>
    public string Substitute(string sql)
    {
        // Longest names first: DISCOUNT is the beginning of DISCOUNT_LOW.
        foreach ((string name, string literal) in SqlLiterals.OrderByDescending(literal => literal.Key.Length))
            sql = sql.Replace(":" + name, literal, StringComparison.Ordinal);
        return sql;
    }

    /// <summary>The name of one of several parameters of a kind: they are numbered from 1 on.</summary>
    protected static string Numbered(string name, int index) => string.Create(CultureInfo.InvariantCulture, $"{name}{index + 1}");

    protected static string Sql(int value) => value.ToString(CultureInfo.InvariantCulture);

    protected static string Sql(decimal value) => value.ToString(CultureInfo.InvariantCulture);

    protected static string Sql(DateOnly value) => $"DATE '{value.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture)}'";

    protected static string Sql(string value) => $"'{value.Replace("'", "''", StringComparison.Ordinal)}'";
}
