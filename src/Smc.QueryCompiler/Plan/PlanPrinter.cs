using System.Text;

namespace Smc.QueryCompiler.Plan;

/// <summary>The text of a plan: one operator a line, inputs below and indented. Stable; used in tests, in explanations and above kernels.</summary>
public static class PlanPrinter
{
    /// <summary>Parameters, terminal and operators.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="notes">Lines that follow an operator.</param>
    public static string Print(QueryPlan plan, Func<LogicalOperator, IEnumerable<string>>? notes = null)
    {
        StringBuilder text = new();
        text.Append("Query(").Append(string.Join(", ", plan.Parameters.Select(PrintParameter))).Append(") -> ");
        text.Append(plan.Terminal).Append(' ').Append(ResultName(plan)).Append(By(plan.Comparer)).Append('\n');
        Print(plan.Root, plan, 1, text, notes);
        foreach (OtherSide other in plan.OtherSides)
        {
            text.Append(DescribeCondition(other, plan.Parameters)).Append(":\n");
            Print(other.Plan.Root, plan, 1, text, notes);
        }

        return text.ToString();
    }

    /// <summary>An expression as C# would have it, with <c>$key0</c> and <c>$agg0</c> for what a group holds (<c>g1$key0</c> for groups but the first), <c>%x</c> for value variables, and casts for conversions.</summary>
    public static string Print(ScalarExpression expression) => expression switch
    {
        Constant constant => constant.Literal.Replace("global::", ""),
        ParameterRead parameter => "@" + parameter.Name,
        RowVariable row => row.Name,
        ColumnRead read => Print(read.Row) + "." + read.Column,
        ValueVariable value => "%" + value.Name,
        KeyRead key => GroupName(key.Group) + "$key" + key.Index,
        AggregateRead aggregate => GroupName(aggregate.Group) + "$agg" + aggregate.Index,
        Subquery query => PrintSubquery(query),
        Binary binary => PrintBinary(binary),
        Unary unary => Checked(unary.IsChecked, OperatorSymbols.Of(unary.Operator) + Print(unary.Operand)),
        Convert convert => Checked(convert.IsChecked, $"({convert.Type}){Print(convert.Operand)}"),
        Conditional conditional => $"({Print(conditional.Test)} ? {Print(conditional.IfTrue)} : {Print(conditional.IfFalse)})",
        Coalesce coalesce => $"({Print(coalesce.Left)} ?? {Print(coalesce.Right)})",
        MemberRead { Instance: { } instance } member => $"{Print(instance)}.{member.Member}",
        MemberRead member => member.Member.Replace("global::", ""),
        Call call => PrintCall(call),
        New creation => PrintNew(creation),
        Elements made => $"new {made.Type} {{ {string.Join(", ", made.Items.Select(Print))} }}",
        With copy => $"({Print(copy.Operand)} with {{ {string.Join(", ", copy.Initializers.Select(i => $"{i.Name} = {Print(i.Value)}"))} }})",
        _ => expression.GetType().Name,
    };

    private static string DescribeCondition(OtherSide other, EquatableArray<PlanParameter> parameters) =>
        $"when {parameters[other.Larger].Name} has more than {OtherSide.Factor} times the rows of {string.Join(" and of ", other.Smaller.Select(p => parameters[p].Name))}";

    private static string PrintParameter(PlanParameter parameter) =>
        parameter.RowShape is null ? $"{parameter.Type} {parameter.Name}" : $"[{ShortName(parameter.RowShape)}] {parameter.Name}";

    private static string ResultName(QueryPlan plan) => plan.ResultType.CSharp.Length == 0 ? "anonymous" : plan.ResultType.ToString();

    private static string ShortName(string fullName) => fullName.Replace("global::", "");

    private static void Print(LogicalOperator node, QueryPlan plan, int depth, StringBuilder text, Func<LogicalOperator, IEnumerable<string>>? notes)
    {
        text.Append(' ', depth * 2).Append(Describe(node, plan.Parameters)).Append('\n');
        foreach (string note in notes?.Invoke(node) ?? [])
            text.Append(' ', depth * 2).Append("- ").Append(note).Append('\n');
        foreach (LogicalOperator input in node.Inputs())
            Print(input, plan, depth + 1, text, notes);
    }

    private static string Describe(LogicalOperator node, EquatableArray<PlanParameter>? parameters) => node switch
    {
        Scan scan => $"Scan {ParameterName(scan.Parameter, parameters)} as {ShortName(scan.Shape)} #{scan.Variable}",
        Enumerate list => $"Enumerate {Print(list.Sequence)} as {list.ElementType} #{list.Variable}",
        GroupRows rows => $"GroupRows {rows.Group} {string.Join(", ", rows.Variables.Select(v => $"#{v.Variable} = #{v.Source}"))}",
        Filter filter => $"Filter {Print(filter.Predicate)}",
        Compute compute => $"Compute {string.Join(", ", compute.Bindings.Select(b => $"%{b.Name}#{b.Variable} = {Print(b.Value)}"))}",
        Number number => $"Number #{number.Variable}",
        Join join => DescribeJoin(join),
        Aggregate aggregate => DescribeAggregate(aggregate),
        Order order => $"Order {PrintKeys(order.Keys)}",
        Limit limit => $"Limit {Print(limit.Count)}",
        Skip skip => $"Skip {Print(skip.Count)}",
        While loop => $"{(loop.Takes ? "TakeWhile" : "SkipWhile")} {Print(loop.Predicate)}",
        TopN top => $"TopN {Print(top.Count)}{(top.Skip is { } skipped ? " after " + Print(skipped) : "")} by {PrintKeys(top.Keys)}{(top.IsReversed ? " from the end" : "")}",
        Distinct distinct => $"Distinct {string.Join(", ", distinct.Keys.Select(Print))}",
        Concat concat => $"Concat {string.Join(", ", concat.Columns.Select(c => $"%{c.Name}#{c.Variable} = {Print(c.Left)} | {Print(c.Right)}"))}",
        DefaultIfEmpty outer => $"DefaultIfEmpty #{outer.Match}",
        Project { Key: { } key } project => $"Project {Print(key)} => {Print(project.Result)}",
        Project project => $"Project {Print(project.Result)}",
        _ => node.GetType().Name,
    };

    private static string ParameterName(int index, EquatableArray<PlanParameter>? parameters) => parameters is { } known && index < known.Count ? known[index].Name : "$" + index;

    private static string GroupName(int group) => group == 0 ? "" : "g" + group;

    private static string DescribeJoin(Join join)
    {
        string keys = string.Join(", ", join.Keys.Select(k => $"{Print(k.Left)} == {Print(k.Right)}{(k.NullsMatch ? " (nulls too)" : "")}"));
        string residual = join.Residual is null ? "" : $" where {Print(join.Residual)}";
        return $"Join {join.Kind} [{keys}]{residual}{(join.Match is { } match ? " #" + match : "")}";
    }

    private static string By(string? comparer) => comparer is null ? "" : " by " + ShortName(comparer);

    private static string DescribeAggregate(Aggregate aggregate)
    {
        string name = GroupName(aggregate.Group);
        IEnumerable<string> keys = aggregate.Keys.Select((key, i) => $"{name}$key{i} = {Print(key)}");
        IEnumerable<string> calls = aggregate.Aggregates.Select((call, i) => $"{name}$agg{i} = {PrintAggregate(call)}");
        return $"Aggregate [{string.Join(", ", keys)}] [{string.Join(", ", calls)}]";
    }

    /// <summary>On one line, from the result down to the sources: <c>{Scalar: Project … &lt;- Aggregate … &lt;- Scan $1 as Item #2}</c>.</summary>
    private static string PrintSubquery(Subquery query) => $"{{{query.Terminal}{By(query.Comparer)}: {PrintOnLine(query.Root)}}}";

    private static string PrintOnLine(LogicalOperator node)
    {
        string[] inputs = [.. node.Inputs().Select(PrintOnLine)];
        return inputs.Length switch
        {
            0 => Describe(node, null),
            1 => $"{Describe(node, null)} <- {inputs[0]}",
            _ => $"{Describe(node, null)} <- ({string.Join("; ", inputs)})",
        };
    }

    private static string PrintAggregate(AggregateCall call)
    {
        string selector = call.Selector is null ? "" : Print(call.Selector);
        if (call.Kind == AggregateKind.Fold)
            selector = $"#{call.Accumulator} = {Print(call.Seed ?? call.First!)}; {selector}";
        string predicate = call.Predicate is null ? "" : $"{(selector.Length == 0 ? "" : " ")}where {Print(call.Predicate)}";
        return $"{call.Kind}({(call.IsDistinct ? "distinct " : "")}{selector}{predicate}): {call.Type}";
    }

    private static string PrintKeys(EquatableArray<OrderKey> keys) =>
        string.Join(", ", keys.Select(key => Print(key.Value) + By(key.Comparer is null ? null : Print(key.Comparer)) + (key.Descending ? " descending" : "")));

    private static string PrintBinary(Binary binary) =>
        Checked(binary.IsChecked, $"({Print(binary.Left)} {OperatorSymbols.Of(binary.Operator)} {Print(binary.Right)})");

    private static string PrintCall(Call call)
    {
        List<string> all = [.. call.Arguments.Select(Print)];
        if (call.Out is { } type)
            all.Insert(call.OutAt, $"out {type}");
        string arguments = string.Join(", ", all);
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
