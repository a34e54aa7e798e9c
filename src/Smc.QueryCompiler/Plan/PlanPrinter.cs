using System.Text;

namespace Smc.QueryCompiler.Plan;

/// <summary>The text of a plan: one operator a line, inputs below and indented. Stable; used in tests, in explanations and above kernels.</summary>
public static class PlanPrinter
{
    /// <summary>Parameters, terminal and operators.</summary>
    public static string Print(QueryPlan plan)
    {
        StringBuilder text = new();
        text.Append("Query(").Append(string.Join(", ", plan.Parameters.Select(PrintParameter))).Append(") -> ");
        text.Append(plan.Terminal).Append(' ').Append(ResultName(plan)).Append('\n');
        Print(plan.Root, plan, 1, text);
        return text.ToString();
    }

    /// <summary>An expression as C# would have it, with <c>$key0</c> and <c>$agg0</c> for what a group holds and casts for conversions.</summary>
    public static string Print(ScalarExpression expression) => expression switch
    {
        Constant constant => constant.Literal.Replace("global::", ""),
        ParameterRead parameter => "@" + parameter.Name,
        RowVariable row => row.Name,
        ColumnRead read => Print(read.Row) + "." + read.Column,
        KeyRead key => "$key" + key.Index,
        AggregateRead aggregate => "$agg" + aggregate.Index,
        Binary binary => PrintBinary(binary),
        Unary unary => Checked(unary.IsChecked, OperatorSymbols.Of(unary.Operator) + Print(unary.Operand)),
        Convert convert => Checked(convert.IsChecked, $"({convert.Type}){Print(convert.Operand)}"),
        Conditional conditional => $"({Print(conditional.Test)} ? {Print(conditional.IfTrue)} : {Print(conditional.IfFalse)})",
        Coalesce coalesce => $"({Print(coalesce.Left)} ?? {Print(coalesce.Right)})",
        MemberRead { Instance: { } instance } member => $"{Print(instance)}.{member.Member}",
        MemberRead member => member.Member.Replace("global::", ""),
        Call call => PrintCall(call),
        New creation => PrintNew(creation),
        _ => expression.GetType().Name,
    };

    private static string PrintParameter(PlanParameter parameter) =>
        parameter.RowShape is null ? $"{parameter.Type} {parameter.Name}" : $"[{ShortName(parameter.RowShape)}] {parameter.Name}";

    private static string ResultName(QueryPlan plan) => plan.ResultType.CSharp.Length == 0 ? "anonymous" : plan.ResultType.ToString();

    private static string ShortName(string fullName) => fullName.Replace("global::", "");

    private static void Print(LogicalOperator node, QueryPlan plan, int depth, StringBuilder text)
    {
        text.Append(' ', depth * 2).Append(Describe(node, plan)).Append('\n');
        if (node.Source is { } input)
            Print(input, plan, depth + 1, text);
    }

    private static string Describe(LogicalOperator node, QueryPlan plan) => node switch
    {
        Scan scan => $"Scan {plan.Parameters[scan.Parameter].Name} as {ShortName(scan.Shape)} #{scan.Variable}",
        Filter filter => $"Filter {Print(filter.Predicate)}",
        Aggregate aggregate => DescribeAggregate(aggregate),
        Order order => $"Order {PrintKeys(order.Keys)}",
        Limit limit => $"Limit {Print(limit.Count)}",
        TopN top => $"TopN {Print(top.Count)} by {PrintKeys(top.Keys)}",
        Project project => $"Project {Print(project.Result)}",
        _ => node.GetType().Name,
    };

    private static string DescribeAggregate(Aggregate aggregate)
    {
        IEnumerable<string> keys = aggregate.Keys.Select((key, i) => $"$key{i} = {Print(key)}");
        IEnumerable<string> calls = aggregate.Aggregates.Select((call, i) => $"$agg{i} = {PrintAggregate(call)}");
        return $"Aggregate [{string.Join(", ", keys)}] [{string.Join(", ", calls)}]";
    }

    private static string PrintAggregate(AggregateCall call)
    {
        string selector = call.Selector is null ? "" : Print(call.Selector);
        string predicate = call.Predicate is null ? "" : $" where {Print(call.Predicate)}";
        return $"{call.Kind}({selector}{predicate}): {call.Type}";
    }

    private static string PrintKeys(EquatableArray<OrderKey> keys) =>
        string.Join(", ", keys.Select(key => Print(key.Value) + (key.Descending ? " descending" : "")));

    private static string PrintBinary(Binary binary) =>
        Checked(binary.IsChecked, $"({Print(binary.Left)} {OperatorSymbols.Of(binary.Operator)} {Print(binary.Right)})");

    private static string PrintCall(Call call)
    {
        string arguments = string.Join(", ", call.Arguments.Select(Print));
        return call.Instance is null
            ? $"{call.Method.Replace("global::", "")}({arguments})"
            : $"{Print(call.Instance)}.{call.Method.Substring(call.Method.LastIndexOf('.') + 1)}({arguments})";
    }

    private static string PrintNew(New creation)
    {
        string arguments = string.Join(", ", creation.Arguments.Select(Print));
        string initializers = string.Join(", ", creation.Initializers.Select(i => $"{i.Name} = {Print(i.Value)}"));
        return creation.Type.Kind switch
        {
            TypeKind.Anonymous => $"new {{ {initializers} }}",
            TypeKind.Tuple => $"({arguments})",
            _ when creation.Initializers.Count == 0 => $"new {creation.Type}({arguments})",
            _ => $"new {creation.Type}({arguments}) {{ {initializers} }}",
        };
    }

    private static string Checked(bool isChecked, string text) => isChecked ? $"checked({text})" : text;
}
