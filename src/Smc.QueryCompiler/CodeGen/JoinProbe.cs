using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Writes how an element on the left of a join finds its partners, when the table of the right side is there. A number of a row below 0 says that look-ups are in vain: the element goes no further.</summary>
/// <param name="scope">The variant of the kernel.</param>
/// <param name="join">The join.</param>
/// <param name="number">What its names end with.</param>
/// <param name="keys">Its keys.</param>
/// <param name="type">The type of the rows in the table.</param>
/// <param name="record">What these have of the right side.</param>
/// <param name="presence">The filter that tells alone whether there is a partner, where it is exact; null when rows have to be looked at.</param>
/// <param name="partners">What an index finds in place of the table, where it is chosen; null if there is none.</param>
internal sealed class JoinProbe(KernelScope scope, Join join, int number, JoinKeys keys, string type, ElementRecord record, string? presence, PartnerSeek? partners)
{
    private string Rows => $"s.Built{number}";

    private string Table => $"s.Table{number}";

    private string At => $"at{number}";

    private string Match => $"match{number}";

    /// <summary>Writes what happens to an element.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="site">Where it is at hand.</param>
    /// <param name="next">What gets what the join passes on.</param>
    public void Write(CodeWriter writer, Site site, ElementConsumer next)
    {
        // A scanned row is found by its dense id, which its block has: its handle would take a look at its entry.
        SlotPlace? scanned = presence is not null && keys.All[0].Left is RowVariable row ? new ScalarEmitter(scope, site).RowOf(row) as SlotPlace : null;
        if (scanned is not null)
        {
            writer.Line($"ulong {keys.LeftKey} = {presence}.IsExact ? 0UL : {new ScalarEmitter(scope, site).Bits(keys.All[0].Left)};");
        }
        else
        {
            keys.DeclareLeft(writer, site);
        }

        string first = $"{Table}.First({keys.Sought})";
        if (partners is not null)
            first = $"({partners.Call()} : {first})";
        if (presence is { } filter)
        {
            string isPresent = scanned is not null ? $"{filter}.ContainsRow({scanned.Block}, {scanned.Slot})" : $"{filter}.Contains({keys.LeftKey})";
            first = $"{filter}.IsExact ? (int){KernelApi.KernelMemory}.ToUInt64({isPresent}) : {first}";
        }

        if (keys.Presence(keys.Left) is { } present)
            first = $"{present} ? {first} : 0";
        writer.Line($"int {At} = {first};");
        if (join.Kind == JoinKind.Inner)
            WriteInner(writer, site, next);
        else if (join.Kind == JoinKind.Left)
            WriteLeft(writer, site, next);
        else
            WriteExists(writer, site, next);
    }

    private void WriteInner(CodeWriter writer, Site site, ElementConsumer next)
    {
        using (writer.Open($"for (; {At} > 0; {At} = {Rows}[{At}].Next)"))
        {
            writer.Line($"ref {type} {Match} = ref {Rows}[{At}];");
            Bindings both = record.Bind(site.Bindings, Match);
            writer.Line($"if (!({IsMatch(Match, site.With(both))}))").Line("    continue;");
            next.Element(writer, site.With(both));
        }
    }

    private void WriteLeft(CodeWriter writer, Site site, ElementConsumer next)
    {
        string any = $"any{number}", matched = $"isMatch{join.Match}";
        writer.Line($"bool {any} = false;");
        using (writer.Open($"while ({At} >= 0)"))
        {
            WriteSearch(writer, site);
            writer.Line($"if ({At} == 0 && {any})").Line("    break;");
            writer.Line($"{any} = true;");
            writer.Line($"bool {matched} = {At} != 0;");
            writer.Line($"ref {type} {Match} = ref {Rows}[{At}];");
            Bindings both = record.Bind(site.Bindings, Match).WithValue(join.Match!.Value, new ValuePlace(matched, ValueForm.Plain));
            using (writer.Open(""))
                next.Element(writer, site.With(both));
            writer.Line($"if ({At} == 0)").Line("    break;");
            writer.Line($"{At} = {Rows}[{At}].Next;");
        }
    }

    private void WriteExists(CodeWriter writer, Site site, ElementConsumer next)
    {
        if (presence is { } filter)
        {
            using (writer.Open($"if (!{filter}.IsExact)"))
                WriteSearch(writer, site);
        }
        else
        {
            WriteSearch(writer, site);
        }

        using (writer.Open($"if ({At} {(join.Kind == JoinKind.Semi ? ">" : "==")} 0)"))
            next.Element(writer, site);
    }

    /// <summary>Goes to the next row of the chain that matches.</summary>
    private void WriteSearch(CodeWriter writer, Site site)
    {
        string candidate = $"candidate{number}";
        using (writer.Open($"while ({At} > 0)"))
        {
            writer.Line($"ref {type} {candidate} = ref {Rows}[{At}];");
            Bindings both = record.Bind(site.Bindings, candidate);
            writer.Line($"if ({IsMatch(candidate, site.With(both))})").Line("    break;");
            writer.Line($"{At} = {candidate}.Next;");
        }
    }

    private string IsMatch(string row, Site both)
    {
        IEnumerable<string> tests = keys.Left.Select(f => f.IsEqual(word => $"{row}.K{word}", f.Local));
        if (join.Residual is { } residual)
            tests = tests.Append(new ScalarEmitter(scope, both).Value(residual));
        return string.Join(" && ", keys.IsOneWord ? tests : tests.Prepend($"{row}.Hash == {keys.HashLocal}"));
    }
}
