using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Writes a subquery as a method and gives the call. It gets what it reads of its surroundings as arguments. One that reads nothing runs when it is first asked for and keeps its value.
/// </summary>
internal sealed class SubqueryEmitter(KernelScope scope)
{
    /// <summary>The value of a subquery where it is asked for.</summary>
    public string Value(Subquery query, Site? site)
    {
        if (ScalarTraits.IsInvariant(query))
        {
            if (!scope.Subqueries.TryGetValue(query, out string? name))
                scope.Subqueries[query] = name = WriteOnce(query);
            return $"{name}(ref s)";
        }

        return WriteEachTime(query, site ?? new Site(new Frame(null, ""), "s.Region", Bindings.None, IsNested: true));
    }

    private string WriteOnce(Subquery query)
    {
        int number = scope.Number();
        string name = "Subquery" + number, kept = scope.Field(query.Type.Text, "Value" + number), isKept = scope.Field("bool", "HasValue" + number);
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static {query.Type.Text} {name}(ref State s)"))
        {
            method.Line($"if ({isKept})").Line($"    return {kept};");
            method.Line($"{query.Type.Text} result;");
            new TerminalEmitter(scope, query.Root, query.Terminal, query.Comparer, query.IsOfMatches).Produce(method, new Site(new Frame(null, "return default!;"), "s.Region", Bindings.None, IsNested: false), "result");
            method.Line($"{kept} = result;").Line($"{isKept} = true;").Line("return result;");
        }

        scope.AddMethod(method);
        return name;
    }

    private string WriteEachTime(Subquery query, Site site)
    {
        List<string> parameters = ["ref State s"], arguments = ["ref s"];
        Bindings inside = Bind(query, site, parameters, arguments);
        bool isNamed = query.Type.CSharp.Length > 0;
        if (!isNamed)
        {
            parameters.Add("T? witness");
            arguments.Add(TypeWitness.Of(query));
        }

        string name = "Subquery" + scope.Number(), type = isNamed ? query.Type.Text : "T";
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static {type} {name}{(isNamed ? "" : "<T>")}({string.Join(", ", parameters)})"))
        {
            Site nested = new(new Frame(null, "return default!;"), site.Region, inside, IsNested: true) { Texts = site.Texts, Times = site.Times, ReadsAll = ReadsAll(query), IsInAnyOrder = IsInAnyOrder(query) };
            string? keep = SharedResult.TryOf(query) is { } shared ? WriteKnown(method, shared, nested, name, type) : null;
            method.Line($"{(isNamed ? query.Type.Text : "object")} result;");
            new TerminalEmitter(scope, query.Root, query.Terminal, query.Comparer, query.IsOfMatches).Produce(method, scope.Nested(query.Root, method, nested), "result");
            if (keep is not null)
                method.Line(keep);
            method.Line($"return {(isNamed ? "result" : "(T)result")};");
        }

        scope.AddMethod(method);
        return $"{name}({string.Join(", ", arguments)})";
    }

    /// <summary>Writes the return of the result that another element with the same values got; gives the text that keeps one.</summary>
    private string WriteKnown(CodeWriter method, SharedResult shared, Site site, string name, string type)
    {
        scope.Physical.Add(shared.Root, shared);
        if (shared.Values.Count == 0)
        {
            string one = scope.ScratchField("object?", "Known" + name);
            method.Line($"if ({one} is {{ }} known)").Line($"    return ({type})known;");
            return $"{one} = result;";
        }

        ScalarEmitter emitter = new(scope, site);
        bool isOne = shared.Values.Count == 1;
        string values = string.Join(", ", shared.Values.Select(emitter.Value)), types = string.Join(", ", shared.Values.Select(value => value.Type.Text));
        string known = scope.ScratchField($"{KernelApi.SharedResults}<{(isOne ? types : $"({types})")}>", "Known" + name);
        method.Line($"{(isOne ? types : $"({types})")} shared = {(isOne ? values : $"({values})")};");
        method.Line($"if ({known}.TryFind(shared, out object? known))").Line($"    return ({type})known!;");
        return $"{known}.Keep(shared, result);";
    }

    /// <summary>Whether a subquery only asks whether there is an element, whichever it is.</summary>
    private static bool IsInAnyOrder(Subquery query) => query.Terminal == Terminal.Any && query.Root.SelfAndInputs().All(node => node is Project or Filter or Compute or Scan);

    /// <summary>Whether the conditions of a subquery are tested on all elements that there are.</summary>
    private static bool ReadsAll(Subquery query) => (query.Terminal.MakesCollection() || query.Terminal == Terminal.Scalar)
        && query.Root.SelfAndInputs().All(node => node is Project or Filter or Compute or Scan or Aggregate or Order);

    private Bindings Bind(Subquery query, Site site, List<string> parameters, List<string> arguments)
    {
        Bindings inside = Bindings.None;
        Dictionary<PlanRead, ValuePlace> stored = [];
        foreach ((PlanRead read, ScalarExpression? expression) in PlanReads.Free(query.Root))
        {
            switch (read.Kind)
            {
                case ReadKind.Row:
                    inside = inside.WithRow(read.Number, new LocationPlace(Pass("ulong", "outerRow" + read.Number, site.Bindings.Rows[read.Number].Location), scope.CanBeNull(read.Number)));
                    break;
                case ReadKind.Value:
                    inside = inside.WithValue(read.Number, PassValue(site.Bindings.Values[read.Number], expression!.Type, "outerValue" + read.Number));
                    break;
                default:
                    PassGroup(read, expression, site.Bindings.Groups[read.Number]);
                    break;
            }
        }

        foreach (int group in stored.Keys.Select(r => r.Number).Distinct())
            inside = inside.WithGroup(group, new StoredGroup(stored, group));
        return inside;

        void PassGroup(PlanRead read, ScalarExpression? expression, GroupPlace group)
        {
            if (group is StoredGroup values)
            {
                stored[read] = PassValue(values.Place(read), expression!.Type, $"outer{read.Kind}{read.Number}_{read.Index}");
                return;
            }

            RecordGroup record = (RecordGroup)group;
            if (inside.Groups.ContainsKey(read.Number))
                return;
            string address = record.Emitter.HasKeys ? Pass("ulong", "outerGroup" + read.Number, record.Address) : record.Address;
            inside = inside.WithGroup(read.Number, new RecordGroup(record.Emitter, address));
        }

        ValuePlace PassValue(ValuePlace place, PlanType type, string name) =>
            place with { Text = Pass(place.Form switch { ValueForm.Plain => type.Text, ValueForm.Scaled => "long", _ => "ulong" }, name, place.Text) };

        string Pass(string type, string name, string argument)
        {
            parameters.Add($"{type} {name}");
            arguments.Add(argument);
            return name;
        }
    }
}
