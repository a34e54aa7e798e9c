using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;
using static Smc.QueryCompiler.Generator.TabularNames;

namespace Smc.QueryCompiler.Generator;

/// <summary>Writes the detached record of a tabular type: the values of a row as an ordinary object.</summary>
internal sealed class TabularDataEmitter(TabularDeclaration type, CodeWriter code)
{
    public void Emit()
    {
        code.Line($"/// <summary>The values of one <see cref=\"{type.Shape.FullName}\"/> as an ordinary object: for import, export and tests.</summary>");
        code.Line("[global::System.CodeDom.Compiler.GeneratedCode(\"Smc.Collections\", \"0.1\")]");
        using (code.Open($"{type.Accessibility} sealed partial record {type.DataName}"))
        {
            bool isFirst = true;
            foreach (TabularMember member in type.Members.Where(m => type.Stub is null || TabularTypeReader.FitsRecord(m.Name)))
            {
                if (!isFirst)
                    code.Line();
                isFirst = false;
                EmitProperty(member);
            }
        }
    }

    private void EmitProperty(TabularMember member)
    {
        code.Line($"/// <inheritdoc cref=\"{type.Shape.FullName}.{Escape(member.Name)}\"/>");
        if (member.Column.IsReference)
            code.Line("[global::System.Text.Json.Serialization.JsonIgnore]");
        string accessibility = member.IsPublic ? "public" : "internal";
        string required = member is { IsOptional: false, IsPublic: true } ? "required " : "";
        string initial = member.Column.DefaultText is { } text ? $" = {text};"
            : member.Column is { Storage: StorageKind.String, Type.IsNullable: false } && required.Length == 0 ? " = \"\";" : "";
        code.Line($"{accessibility} {required}{member.Declared} {Escape(member.Name)} {{ get; init; }}{initial}");
    }
}
