using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Writes the end of a query or subquery: elements become a collection or a single value. At the top of the fast variant elements are kept first and the result is made of
/// them at the end, when their number is known, so that the result is all that is allocated; elsewhere each becomes a value as it comes, as in LINQ.
/// </summary>
internal sealed class TerminalEmitter(KernelScope scope, LogicalOperator root, Terminal terminal, string? comparer, bool isOfMatches)
{
    private readonly Project? _project = root as Project;

    private LogicalOperator Input => _project?.Input ?? root;

    private ScalarExpression Result => _project!.Result;

    /// <summary>Writes the statements that assign the result to a variable.</summary>
    public void Produce(CodeWriter writer, Site site, string target)
    {
        if (terminal == Terminal.Scalar)
        {
            Elements(writer, site, new EndConsumer((body, at) => body.Line($"{target} = {Value(at)};")));
            return;
        }

        if (terminal == Terminal.Any)
        {
            ProduceAny(writer, site, target);
            return;
        }

        if (terminal == Terminal.ElementAt && Position is { } position)
        {
            using (writer.Open($"if ({new ScalarEmitter(scope, site).Value(position)} < 0)"))
                writer.Line("throw new global::System.ArgumentOutOfRangeException(\"index\");");
        }

        if (scope.IsPlain || !site.IsTop || !ElementRecord.CanKeep(Input, Reads))
            ProduceInLine(writer, site with { IsNested = true }, target);
        else
            ProduceKept(writer, site, target);
    }

    /// <summary>Elements before the one that is asked for, where an operator skips them.</summary>
    private ScalarExpression? Position => Input switch
    {
        Skip skip => skip.Count,
        TopN top => top.Skip,
        _ => null,
    };

    private bool IsSingle => terminal is Terminal.Single or Terminal.SingleOrDefault;

    private string NoElements => $"{KernelApi.AggregateResults}.{(isOfMatches ? "NoMatch" : "NoElements")}()";

    private string MoreThanOne => $"{KernelApi.AggregateResults}.{(isOfMatches ? "MoreThanOneMatch" : "MoreThanOneElement")}()";

    private bool IsLast => terminal is Terminal.Last or Terminal.LastOrDefault;

    private IEnumerable<(PlanRead Read, ScalarExpression? Expression)> Reads => PlanReads.Of(_project!.Expressions(), Input);

    private void Elements(CodeWriter writer, Site site, ElementConsumer consumer) => new OperatorEmitter(scope).Produce(Input, writer, site, consumer);

    private string AndComparer => comparer is null ? "" : ", " + comparer;

    /// <summary>What there is where no element is. The result of a struct whose type has no name is an object, and null is no default of a struct.</summary>
    private string NoElement => Result.Type is { CSharp.Length: 0, Kind: TypeKind.Struct or TypeKind.Tuple } ? TypeWitness.Of(Result) : "default!";

    private string Value(Site site) => new ScalarEmitter(scope, site).Result(Result);

    private void ProduceAny(CodeWriter writer, Site site, string target)
    {
        string hasAny = scope.Field("bool", "HasAny" + scope.Number());
        Exit exit = new(site.Frame, scope.Number());
        writer.Line($"{hasAny} = false;");
        using (writer.Open(""))
        {
            Elements(writer, site, new AnyConsumer((body, at) =>
            {
                body.Line($"{hasAny} = true;");
                at.Frame.Leave(body, exit, scope);
            }));
        }

        exit.WriteLabel(writer);
        writer.Line($"{target} = {hasAny};");
    }

    private void ProduceInLine(CodeWriter writer, Site site, string target)
    {
        string rows = "rows" + scope.Number();
        if (terminal.MakesCollection())
        {
            writer.Line($"{NewRows(rows, "0")};");
            Elements(writer, site, new EndConsumer((body, at) => AddRow(body, at, rows, null)));
            writer.Line($"{target} = {Finished(rows)};");
            return;
        }

        string count = scope.Field("int", "Found" + scope.Number());
        Exit exit = new(site.Frame, scope.Number());
        writer.Line($"{count} = 0;").Line($"{target} = {NoElement};");
        using (writer.Open(""))
        {
            Elements(writer, site, new EndConsumer((body, at) =>
            {
                body.Line($"{target} = {Value(at)};");
                if (IsSingle)
                    body.Line($"if (++{count} > 1)").Line($"    throw {MoreThanOne};");
                else
                    body.Line($"{count} = 1;");
                if (!IsSingle && !IsLast)
                    at.Frame.Leave(body, exit, scope);
            }));
        }

        exit.WriteLabel(writer);
        WriteNone(writer, $"{count} == 0");
    }

    /// <summary>Keeps elements, then makes the result of them.</summary>
    private void ProduceKept(CodeWriter writer, Site site, string target)
    {
        if (terminal.MakesCollection() && new OperatorEmitter(scope).TryCollect(Input, writer, site) is { } kept)
        {
            WriteRows(writer, site, kept, target);
            return;
        }

        SpoolEmitter spool = new(scope, Input, Reads, site.Region);
        Exit exit = new(site.Frame, scope.Number());
        spool.Begin(writer);
        using (writer.Open(""))
        {
            Elements(writer, site, new EndConsumer((body, at) =>
            {
                if (IsLast)
                    body.Line($"{spool.List}.Truncate(0);");
                spool.Add(body, at);
                if (IsSingle)
                {
                    using (body.Open($"if ({spool.List}.Count == 2)"))
                        at.Frame.Leave(body, exit, scope);
                }
                else if (!IsLast && !terminal.MakesCollection())
                {
                    at.Frame.Leave(body, exit, scope);
                }
            }, terminal.MakesCollection() ? spool.Parts : null));
        }

        exit.WriteLabel(writer);
        if (terminal.MakesCollection())
            WriteRows(writer, site, spool.Elements, target);
        else
            WriteOne(writer, site, spool.Elements, target);
    }

    private void WriteRows(CodeWriter writer, Site site, KeptElements elements, string target)
    {
        string rows = "rows" + scope.Number();
        bool isArray = terminal == Terminal.Array;
        writer.Line($"{(isArray ? NewArray(rows, elements.Count) : NewRows(rows, elements.Count))};");
        using (writer.Open($"for (int i = 0; i < {elements.Count}; i++)"))
            AddRow(writer, site.With(elements.Declare(writer, site.Bindings, "i")) with { Texts = new SharedTextsField(scope), Times = elements.Count }, rows, isArray ? "i" : null);
        writer.Line($"{target} = {(isArray ? rows : Finished(rows))};");
    }

    private void WriteOne(CodeWriter writer, Site site, KeptElements elements, string target)
    {
        if (IsSingle)
            writer.Line($"if ({elements.Count} > 1)").Line($"    throw {MoreThanOne};");
        writer.Line($"{target} = {NoElement};");
        WriteNone(writer, $"{elements.Count} == 0");
        using (writer.Open($"if ({elements.Count} != 0)"))
        {
            Bindings bindings = elements.Declare(writer, site.Bindings, "0");
            writer.Line($"{target} = {Value(site.With(bindings))};");
        }
    }

    private void WriteNone(CodeWriter writer, string isNone)
    {
        if (terminal is Terminal.First or Terminal.Single or Terminal.Last)
            writer.Line($"if ({isNone})").Line($"    throw {NoElements};");
        else if (terminal == Terminal.ElementAt)
            writer.Line($"if ({isNone})").Line($"    throw new global::System.ArgumentOutOfRangeException(\"index\");");
    }

    private string NewRows(string rows, string count)
    {
        string value = Result.Type.Text;
        bool isNamed = Result.Type.CSharp.Length > 0 && _project!.Key is not { Type.CSharp.Length: 0 };
        string key = _project!.Key?.Type.Text ?? "";
        string witness = TypeWitness.Of(Result), keyWitness = _project.Key is null ? "" : TypeWitness.Of(_project.Key);
        return terminal switch
        {
            Terminal.HashSet => isNamed ? $"global::System.Collections.Generic.HashSet<{value}> {rows} = new({comparer})" : $"var {rows} = {KernelApi.ResultRows}.HashSet({witness})",
            Terminal.Dictionary => isNamed ? $"global::System.Collections.Generic.Dictionary<{key}, {value}> {rows} = new({count}{AndComparer})" : $"var {rows} = {KernelApi.ResultRows}.Dictionary({keyWitness}, {witness}{AndComparer})",
            Terminal.Lookup => isNamed
                ? $"global::System.Collections.Generic.List<global::System.Collections.Generic.KeyValuePair<{key}, {value}>> {rows} = new({count})"
                : $"var {rows} = {KernelApi.ResultRows}.Pairs({keyWitness}, {witness})",
            _ => isNamed ? $"global::System.Collections.Generic.List<{value}> {rows} = new({count})" : $"var {rows} = {KernelApi.ResultRows}.List({count}, {witness})",
        };
    }

    private string NewArray(string rows, string count) => Result.Type.CSharp.Length > 0
        ? $"{Result.Type.Text}[] {rows} = {KernelApi.ResultRows}.Array<{Result.Type.Text}>({count})"
        : $"var {rows} = {KernelApi.ResultRows}.Array({count}, {TypeWitness.Of(Result)})";

    private void AddRow(CodeWriter writer, Site site, string rows, string? index)
    {
        string key = _project!.Key is null ? "" : new ScalarEmitter(scope, site).Value(_project.Key) + ", ";
        writer.Line(index is not null ? $"{rows}[{index}] = {Value(site)};"
            : terminal == Terminal.Lookup ? $"{rows}.Add(new({key}{Value(site)}));"
            : $"{rows}.Add({key}{Value(site)});");
    }

    private string Finished(string rows) => terminal switch
    {
        Terminal.Array => $"{KernelApi.ResultRows}.ToArray({rows})",
        Terminal.Lookup => $"{KernelApi.ResultRows}.ToLookup({rows}{AndComparer})",
        _ => rows,
    };

    /// <summary>Asks for nothing but whether there is an element.</summary>
    private sealed class AnyConsumer(Action<CodeWriter, Site> end) : ElementConsumer
    {
        public override bool KeepsOnlyValues => true;

        public override void Element(CodeWriter writer, Site site) => end(writer, site);
    }
}
