using Smc.QueryCompiler.CodeGen;
using static Smc.QueryCompiler.Generator.TabularNames;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Writes the part of <c>Set</c> that changes the row. What can fail comes first: texts are stored, then keys of unique indexes are claimed; only then columns are written.
/// </summary>
/// <param name="type">The type.</param>
/// <param name="code">Takes the text.</param>
/// <param name="row">The name of the row, an <c>OpenRow</c>.</param>
/// <param name="checkedName">The name of the local with a member's checked value.</param>
internal sealed class TabularSetEmitter(TabularDeclaration type, CodeWriter code, string row, Func<TabularMember, string> checkedName)
{
    private readonly string _keys = Free("keys", type.Members);

    public void Emit()
    {
        TabularMember[] texts = type.Members.Where(member => new TabularColumnWriter(type, member).CanFail).ToArray();
        foreach (TabularMember member in texts)
            code.Line($"ulong {WordOf(member)} = 0;");
        if (texts.Length == 0)
        {
            code.Line($"{KeyChange} {_keys} = {KeyChange}.Begin<{type.Shape.FullName}>(_handle);");
            EmitClaim();
        }
        else
        {
            code.Line($"{KeyChange} {_keys};");
            using (code.Open("try"))
            {
                foreach (TabularMember member in texts)
                    IfGiven(member, $"{WordOf(member)} = {new TabularColumnWriter(type, member).Store(row, Value(member))};");
                code.Line($"{_keys} = {KeyChange}.Begin<{type.Shape.FullName}>(_handle);");
                EmitClaim();
            }

            using (code.Open("catch"))
            {
                foreach (TabularMember member in texts)
                    code.Line($"{row}.Discard({WordOf(member)});");
                code.Line("throw;");
            }
        }

        foreach (TabularMember member in type.Members)
        {
            TabularColumnWriter writer = new(type, member);
            IfGiven(member, writer.CanFail ? writer.WriteWord(row, WordOf(member)) : writer.Write(row, Value(member)));
        }

        code.Line($"{_keys}.Settle();");
    }

    private void EmitClaim()
    {
        using (code.Open($"if ({_keys}.IsNeeded)"))
        {
            foreach (TabularMember member in type.Members)
            {
                TabularColumnWriter writer = new(type, member);
                if (writer.CanBeIndexed)
                    IfGiven(member, writer.Change(_keys, writer.CanFail ? WordOf(member) : Value(member)));
            }

            code.Line($"{_keys}.Claim();");
        }
    }

    private void IfGiven(TabularMember member, string statement)
    {
        code.Line($"if ({member.Parameter}.HasValue)");
        using (code.Indent())
            code.Line(statement);
    }

    private string Value(TabularMember member) => new TabularColumnWriter(type, member).NeedsCheck ? checkedName(member) : member.Parameter + ".Value";

    private string WordOf(TabularMember member) => Free(member.Parameter.TrimStart('@') + "Word", type.Members);
}
