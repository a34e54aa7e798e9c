namespace Smc.QueryCompiler.Fuzz.Queries;

/// <summary>What is promised about the order of a sequence, least first.</summary>
internal enum ElementOrder
{
    /// <summary>Nothing: only the elements count.</summary>
    Any,

    /// <summary>That of a collection in memory; kernels keep it, as LINQ over the collection does.</summary>
    Memory,

    /// <summary>LINQ's.</summary>
    Specified,
}

/// <summary>The order of a node's elements, and the least order of sequences inside of its elements.</summary>
internal readonly record struct NodeOrder(ElementOrder Own, ElementOrder Inner);

/// <summary>Computes orders, and whether a query asks for something that its order does not determine: such a query has no one right answer.</summary>
internal sealed class OrderAnalysis
{
    private static readonly string[] s_comparing = ["$0.Distinct()", "$0.Union(", "$0.Intersect(", "$0.Except(", "$0.ToHashSet()", "$0.SequenceEqual(", "$0.Contains("];

    private readonly Dictionary<string, ElementOrder> _variables = [];

    private bool _isDetermined = true;

    private bool _hasUnorderedPart;

    /// <summary>Whether every operator that looks at the order has one to look at.</summary>
    public static bool IsDetermined(QueryNode query)
    {
        OrderAnalysis analysis = new();
        analysis.Analyze(query);
        return analysis._isDetermined;
    }

    public static NodeOrder Of(QueryNode query) => new OrderAnalysis().Analyze(query);

    /// <summary>Whether some sequence in the query comes in no particular order.</summary>
    public static bool HasUnorderedPart(QueryNode query)
    {
        OrderAnalysis analysis = new();
        analysis.Analyze(query);
        return analysis._hasUnorderedPart;
    }

    private NodeOrder Analyze(QueryNode node)
    {
        ElementOrder inner = ElementOrder.Specified;
        ElementOrder first = ElementOrder.Specified;
        ElementOrder least = ElementOrder.Specified;
        for (int i = 0; i < node.Parts.Length; i++)
        {
            QueryNode part = node.Parts[i];
            // What a lambda's parameters hold comes from the inputs before it.
            foreach (string variable in part.Binds)
                _variables[variable] = inner;
            NodeOrder order = Analyze(part);
            if (part.Type is SequenceType || part.Type is LambdaType)
            {
                if (i == 0)
                    first = order.Own;
                least = Min(least, order.Own);
            }

            inner = Min(inner, order.Inner);
            if (node.Order == OrderRule.Lose && i == 0)
                inner = Min(inner, order.Own);
            if (part.Type is SequenceType && (i > 0 || node.Type is CompositeType or LambdaType))
                inner = Min(inner, order.Own);
        }

        _isDetermined &= (!node.NeedsOrder || least > ElementOrder.Any) && !ComparesIdentities(node);
        ElementOrder own = node.Order switch
        {
            OrderRule.Memory => ElementOrder.Memory,
            OrderRule.Keep => first,
            OrderRule.Sort => first == ElementOrder.Any ? ElementOrder.Any : ElementOrder.Specified,
            OrderRule.Lose => least == ElementOrder.Specified ? ElementOrder.Specified : ElementOrder.Any,
            OrderRule.All => least,
            OrderRule.Variable => _variables.GetValueOrDefault(node.Variable!, ElementOrder.Memory),
            _ => ElementOrder.Specified,
        };
        _hasUnorderedPart |= own == ElementOrder.Any;
        return new NodeOrder(own, node.Order == OrderRule.Variable ? own : inner);
    }

    /// <summary>Whether elements are compared that are sequences or hold some: which of those are one object, nothing promises.</summary>
    private static bool ComparesIdentities(QueryNode node) =>
        s_comparing.Any(name => node.Template.StartsWith(name, StringComparison.Ordinal)) && node.Parts[0].Type is SequenceType { Element: var element } && HoldsSequence(element);

    private static bool HoldsSequence(QueryType type) => type is SequenceType || (type is CompositeType composite && composite.Members.Any(m => HoldsSequence(m.Type)));

    private static ElementOrder Min(ElementOrder a, ElementOrder b) => a < b ? a : b;
}
