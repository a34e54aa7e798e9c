using System.Text;

namespace Smc.QueryCompiler.Fuzz.Queries;

/// <summary>How the order of a sequence follows from that of its inputs (DESIGN 5.1).</summary>
internal enum OrderRule
{
    /// <summary>Not a sequence.</summary>
    None,

    /// <summary>A collection: memory order.</summary>
    Memory,

    /// <summary>A list or an order by everything there is: specified.</summary>
    Specified,

    /// <summary>That of the first input.</summary>
    Keep,

    /// <summary>A stable sort of the first input.</summary>
    Sort,

    /// <summary>Specified when the first input's is, else any: groups, distinct values, joins, set operations.</summary>
    Lose,

    /// <summary>As the least ordered of all inputs.</summary>
    All,

    /// <summary>That of the elements of a variable: the rows of a group.</summary>
    Variable,
}

/// <summary>A piece of a random query: C# text with holes for its parts.</summary>
/// <param name="Template">The text; <c>$0</c> … <c>$9</c> stand for the parts.</param>
/// <param name="Type">Its type.</param>
/// <param name="Parts">What fills the holes.</param>
internal sealed record QueryNode(string Template, QueryType Type, params QueryNode[] Parts)
{
    public OrderRule Order { get; init; }

    /// <summary>Whether the result depends on the order of the first input (First, Take, a sum of floating-point numbers).</summary>
    public bool NeedsOrder { get; init; }

    /// <summary>The variables that a lambda, or a clause of a query, declares for its parts.</summary>
    public string[] Binds { get; init; } = [];

    /// <summary>The variable that this is, or null.</summary>
    public string? Variable { get; init; }

    /// <summary>Whether it is a static method that the query calls, with the variables that it reads as parameters.</summary>
    public bool IsMethod { get; init; }

    /// <summary>The query without methods of its own.</summary>
    public string Text => TextWith(null);

    /// <summary>The query, which calls the methods that it adds.</summary>
    public string TextWith(QueryMethods? methods)
    {
        StringBuilder text = new();
        Write(text, methods);
        return text.ToString();
    }

    public int Size => 1 + Parts.Sum(p => p.Size);

    public IEnumerable<QueryNode> All => Parts.SelectMany(p => p.All).Prepend(this);

    /// <summary>What is computed for elements of the query's sources, or beside them: lambdas and other arguments.</summary>
    public IEnumerable<QueryNode> Inside => Parts.SelectMany((p, i) => i > 0 || p.Type is LambdaType ? p.All : p.Inside);

    /// <summary>Variables that are used here and declared outside.</summary>
    public IEnumerable<string> FreeVariables
    {
        get
        {
            HashSet<string> bound = [.. All.SelectMany(n => n.Binds)];
            return All.Where(n => n.Variable is not null && !bound.Contains(n.Variable)).Select(n => n.Variable!).Distinct();
        }
    }

    private void Write(StringBuilder text, QueryMethods? methods)
    {
        if (IsMethod && methods is not null)
            text.Append(methods.Add(this, (this with { IsMethod = false }).TextWith(methods)));
        else
            WriteTemplate(text, methods);
    }

    private void WriteTemplate(StringBuilder text, QueryMethods? methods)
    {
        for (int i = 0; i < Template.Length; i++)
        {
            if (Template[i] == '$' && i + 1 < Template.Length && char.IsAsciiDigit(Template[i + 1]))
                Parts[Template[++i] - '0'].Write(text, methods);
            else
                text.Append(Template[i]);
        }
    }
}
