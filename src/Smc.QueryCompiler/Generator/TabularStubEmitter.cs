using Smc.QueryCompiler.CodeGen;
using static Smc.QueryCompiler.Generator.TabularNames;

namespace Smc.QueryCompiler.Generator;

/// <summary>Writes the half of a struct that breaks a rule: the members that a right one has, as far as their names are free, all of which throw.</summary>
internal sealed class TabularStubEmitter(TabularDeclaration type, TabularStub stub, CodeWriter code)
{
    public void Emit()
    {
        using (code.Open($"{stub.Header} {Escape(type.Name)}{stub.TypeParameters} : {ITabular}"))
        {
            foreach (TabularMember member in type.Members)
                Refused(member).EmitThrowing(code);
            foreach (TabularRefusedProperty property in type.Refused)
                property.EmitThrowing(code);
            code.Line($"{Schema} {ITabular}.Schema => throw null!;").Line();
            code.Line($"object? {ITabular}.CopyData() => throw null!;").Line();
            Member("IsNull", "public bool IsNull");
            Member("IsAlive", "public bool IsAlive");
            if (stub.CanBeRow)
                Member("Set", $"{type.MemberAccessibility} void Set({string.Join(", ", type.Members.Select(TabularEmitter.ParameterOfSet))})");
            if (type.HasData)
            {
                Member("TryRead", $"{type.MemberAccessibility} bool TryRead([global::System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out {type.DataFullName}? data)");
                Member("ToData", $"{type.MemberAccessibility} {type.DataFullName} ToData()");
            }

            if (type.HasData && type.ExtensionAccessibility is null && stub.Declares("Add") && stub.Declares("AddRange") && stub.Declares("AddRangeAsync"))
                new TabularAddEmitter(type, code).Emit(isExtension: false);
        }
    }

    private void Member(string name, string declaration)
    {
        if (stub.Declares(name))
            code.Line("/// <summary>The type breaks a rule.</summary>").Line($"{declaration} => throw null!;").Line();
    }

    private static TabularRefusedProperty Refused(TabularMember member) =>
        new(member.Declared, Escape(member.Name), member.Modifiers, member.GetterModifier + "get", member.SetterModifier + "set");
}
