using Smc.QueryCompiler.Fuzz.Queries;
using Smc.QueryCompiler.Fuzz.Schema;

namespace Smc.QueryCompiler.Fuzz.Change;

/// <summary>Finds what holds for the result of a query whatever rows change while it runs. What it does not know, it says nothing of.</summary>
/// <param name="schema">The tables.</param>
/// <param name="rows">How many rows a query can see of each.</param>
internal sealed class FactAnalysis(DatabaseSchema schema, IReadOnlyDictionary<string, Bounds> rows)
{
    private static readonly string[] s_sameElements = ["$0.OrderBy(", "$0.OrderByDescending(", "$0.ThenBy(", "$0.ThenByDescending(", "$0.Reverse()", "$0.ToList()", "$0.ToArray()", "$0.Order()", "$0.OrderDescending()"];
    private static readonly string[] s_fewerElements = ["$0.Where(", "$0.Take(", "$0.Skip(", "$0.TakeLast(", "$0.SkipLast(", "$0.TakeWhile(", "$0.SkipWhile(", "$0.Intersect(", "$0.Except("];
    private static readonly string[] s_oneElement = ["$0.First()", "$0.Last()", "$0.Single()", "$0.ElementAt("];

    private readonly Dictionary<string, Facts> _variables = schema.Tables.ToDictionary(t => t.Parameter, t => (Facts)new SequenceFacts(new RowFacts(t.Name), rows[t.Name]));

    public Facts Of(QueryNode node)
    {
        if (node.Variable is { } name)
            return _variables.GetValueOrDefault(name, Facts.None);
        if (node.Parts.Length == 0)
            return Facts.None;
        return node.Type is CompositeType composite && composite.Members.Count == node.Parts.Length && node.Parts.Select(p => p.Type).SequenceEqual(composite.Members.Select(m => m.Type))
            ? new ObjectFacts(composite.Members.Select((m, i) => (m.Name, Facts: Of(node.Parts[i]))).ToDictionary(m => m.Name, m => m.Facts))
            : Of(node, Of(node.Parts[0]));
    }

    private Facts Of(QueryNode node, Facts source) => source switch
    {
        RowFacts row => Column(node, row),
        ObjectFacts value when Member(node) is { } member => value.Members.GetValueOrDefault(member, Facts.None),
        GroupFacts group when node.Template == "$0.Key" => group.Key with { Of = group.Variable is { } variable ? (variable, false) : null },
        GroupFacts group when node.Template is "$0.Count()" or "$0.LongCount()" or "(int)$0.LongCount()" => new CountFacts(new Bounds(1, long.MaxValue)) { Of = group.Variable is { } variable ? (variable, true) : null },
        GroupFacts group => OfSequence(node, new SequenceFacts(group.Row, new Bounds(1, long.MaxValue))),
        SequenceFacts sequence => OfSequence(node, sequence),
        _ => Facts.None,
    };

    private Facts Column(QueryNode node, RowFacts row)
    {
        bool isConditional = node.Template.StartsWith("($0?.", StringComparison.Ordinal);
        string? name = isConditional ? node.Template[5..^1] : Member(node);
        return schema.Table(row.Table).Columns.FirstOrDefault(c => c.Name == name) switch
        {
            null => Facts.None,
            { Type: RowType target } => new RowFacts(target.Table),
            { } column => new StoredFacts(row.Table, column.Name, column.CanBeNull || isConditional),
        };
    }

    /// <summary>What the elements of two sequences have in common. Groups of the one may have the keys of groups of the other.</summary>
    private static Facts Together(SequenceFacts source, SequenceFacts other) => Either(source.Element, other.Element) is var both and not GroupFacts ? both : Facts.None;

    private Facts OfSequence(QueryNode node, SequenceFacts source)
    {
        string template = node.Template;
        bool Is(string text) => template.StartsWith(text, StringComparison.Ordinal);
        if (s_sameElements.Any(Is))
            return source with { Order = OrderAfter(node, source) };
        if (s_fewerElements.Any(Is))
            return source with { Count = source.Count.OrFewer, Rows = null, Counts = [] };
        if (s_oneElement.Any(Is) && node.Type is not SequenceType)
            return source.Element;
        return template switch
        {
            "$0.Select($1)" => Select(node.Parts[1], source),
            "$0.Count()" or "$0.LongCount()" => new CountFacts(source.Count),
            "$0.Count($1)" => new CountFacts(source.Count.OrFewer),
            "$0.Min($1)" or "$0.Max($1)" => Body(node.Parts[1], source.Element) switch
            {
                StoredFacts stored => stored with { CanBeNull = stored.CanBeNull || node.Type is ScalarType { IsNullable: true } or ScalarType { Kind: ScalarKind.String } },
                _ => Facts.None,
            },
            "$0.SelectMany($1)" when Body(node.Parts[1], source.Element) is SequenceFacts inner => new SequenceFacts(inner.Element, new Bounds(0, long.MaxValue)),
            "$0.SelectMany($1, $2)" when Body(node.Parts[1], source.Element) is SequenceFacts inner =>
                new SequenceFacts(Body(node.Parts[2], source.Element, inner.Element), new Bounds(0, long.MaxValue)),
            "$0.Concat($1)" when Of(node.Parts[1]) is SequenceFacts other => new SequenceFacts(Together(source, other), source.Count + other.Count),
            _ when Is("$0.Union($1") && Of(node.Parts[1]) is SequenceFacts other => new SequenceFacts(Together(source, other), (source.Count + other.Count).ButNone) { Distinct = [""] },
            _ when Is("$0.Distinct(") || Is("$0.ToHashSet(") => source with { Count = source.Count.ButNone, Distinct = [.. source.Distinct, ""], Order = null, Rows = null, Counts = [] },
            _ when Is("$0.DistinctBy(") => source with { Count = source.Count.ButNone, Order = null, Rows = null, Counts = [] },
            _ when Is("$0.GroupBy($1, $2") => GroupInto(node, source),
            _ when Is("$0.GroupBy($1") => new SequenceFacts(new GroupFacts(null, Body(node.Parts[1], source.Element), source.Element), source.Count.ButNone) { Rows = source.Count },
            _ when Is("$0.CountBy($1)") => new SequenceFacts(
                new ObjectFacts(new Dictionary<string, Facts> { ["A"] = Body(node.Parts[1], source.Element), ["B"] = Facts.None }), source.Count.ButNone) { Distinct = ["A"], Rows = source.Count, Counts = ["B"] },
            _ when Is("$0.Join(") && Of(node.Parts[1]) is SequenceFacts inner => new SequenceFacts(Body(node.Parts[4], source.Element, inner.Element), new Bounds(0, long.MaxValue)),
            _ when Is("$0.GroupJoin(") && Of(node.Parts[1]) is SequenceFacts inner => new SequenceFacts(Body(node.Parts[4], source.Element, inner with { Count = inner.Count.OrFewer }), source.Count),
            _ => Facts.None,
        };
    }

    /// <summary>Groups whose rows are the elements of the source, or values of them.</summary>
    private Facts GroupInto(QueryNode node, SequenceFacts source)
    {
        Facts key = Body(node.Parts[1], source.Element);
        QueryNode value = node.Parts[2];
        if (value.Binds.Length != 2)
            return new SequenceFacts(new GroupFacts(null, key, Body(value, source.Element)), source.Count.ButNone) { Rows = source.Count };
        string variable = value.Binds[1];
        Facts element = Body(value, key with { Of = (variable, false) }, new GroupFacts(variable, key, source.Element));
        return Marked(new SequenceFacts(element, source.Count.ButNone) { Rows = source.Count }, variable);
    }

    private Facts Select(QueryNode lambda, SequenceFacts source)
    {
        string variable = lambda.Binds[0];
        if (lambda.Binds.Length > 1)
            return new SequenceFacts(Body(lambda, source.Element, Facts.None), source.Count);
        Facts element = Body(lambda, source.Element is GroupFacts group ? group with { Variable = variable } : source.Element);
        return source.Element is GroupFacts ? Marked(source with { Element = element, Distinct = [], Order = null }, variable) : new SequenceFacts(element, source.Count);
    }

    /// <summary>The results of groups: which of their members are the key, and which count rows.</summary>
    private static SequenceFacts Marked(SequenceFacts results, string variable)
    {
        (string Name, Facts Facts)[] members = [("", results.Element), .. results.Element is ObjectFacts value ? value.Members.Select(m => (m.Key, m.Value)) : []];
        return results with
        {
            Distinct = [.. members.Where(m => m.Facts.Of == (variable, false)).Select(m => m.Name)],
            Counts = results.Rows is null ? [] : [.. members.Where(m => m.Facts.Of == (variable, true)).Select(m => m.Name)],
        };
    }

    /// <summary>
    /// An order by something that the elements hold already: it is read once, so the result is ordered by what it holds. A property of a row is read again.
    /// Texts are ordered by the culture, which is not looked at here.
    /// </summary>
    private static (string, bool)? OrderAfter(QueryNode node, SequenceFacts source)
    {
        bool isDescending = node.Template.Contains("Descending", StringComparison.Ordinal);
        if (node.Template.StartsWith("$0.Order()", StringComparison.Ordinal) || node.Template.StartsWith("$0.OrderDescending()", StringComparison.Ordinal))
            return IsComparable(((SequenceType)node.Type).Element) ? ("", isDescending) : null;
        if (node.Template.StartsWith("$0.OrderBy", StringComparison.Ordinal))
        {
            if (node.Parts.Length < 2)
                return null;
            QueryNode key = node.Parts[1].Parts[0];
            if (!IsComparable(key.Type))
                return null;
            if (key.Variable == node.Parts[1].Binds[0])
                return ("", isDescending);
            return source.Element is ObjectFacts && Member(key) is { } member && key.Parts[0].Variable == node.Parts[1].Binds[0] ? (member, isDescending) : null;
        }

        return node.Template.StartsWith("$0.Reverse", StringComparison.Ordinal) ? source.Order is { } order ? (order.Member, !order.IsDescending) : null : source.Order;
    }

    private static bool IsComparable(QueryType type) => type is ScalarType { Kind: not (ScalarKind.String or ScalarKind.Struct) };

    private static Facts Either(Facts a, Facts b) => a == b ? a : Facts.None;

    private Facts Body(QueryNode lambda, params Facts[] parameters)
    {
        for (int i = 0; i < lambda.Binds.Length && i < parameters.Length; i++)
            _variables[lambda.Binds[i]] = parameters[i] is GroupFacts { Variable: null } group ? group with { Variable = lambda.Binds[i] } : parameters[i];
        return Of(lambda.Parts[0]);
    }

    /// <summary>The member that is read, <c>$0.Name</c>.</summary>
    private static string? Member(QueryNode node) =>
        node.Template.StartsWith("$0.", StringComparison.Ordinal) && node.Template.AsSpan(3).IndexOfAnyExceptInRange('0', 'z') < 0 && node.Template[3..].All(char.IsAsciiLetterOrDigit) ? node.Template[3..] : null;
}
