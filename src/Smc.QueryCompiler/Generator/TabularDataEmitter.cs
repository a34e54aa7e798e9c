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
        if (type.Stub is null)
            code.Line($"[global::System.Text.Json.Serialization.JsonConverter(typeof({Kernels}RecordJsonConverter<{type.Shape.FullName}, {type.DataFullName}>))]");
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

            if (type.Stub is null && type.Members.Any(IsBinary))
                EmitEquality();
        }
    }

    private static bool IsBinary(TabularMember member) => member.Column.Storage == StorageKind.Binary;

    /// <summary>The compiler's own equality compares the addresses of bytes.</summary>
    private void EmitEquality()
    {
        code.Line();
        code.Line("/// <summary>Whether all values are equal; bytes are compared one by one.</summary>");
        code.Line($"public bool Equals({type.DataName}? other) => ReferenceEquals(this, other) || (other is not null");
        using (code.Indent())
        {
            for (int i = 0; i < type.Members.Count; i++)
            {
                TabularMember member = type.Members[i];
                string name = Escape(member.Name);
                string equal = IsBinary(member) ? $"{Kernels}BinaryValue.AreEqual({name}, other.{name})"
                    : $"global::System.Collections.Generic.EqualityComparer<{member.Declared}>.Default.Equals({name}, other.{name})";
                code.Line($"&& {equal}{(i == type.Members.Count - 1 ? ");" : "")}");
            }
        }

        code.Line();
        code.Line("/// <inheritdoc/>");
        using (code.Open("public override int GetHashCode()"))
        {
            code.Line("global::System.HashCode hash = default;");
            foreach (TabularMember member in type.Members)
                code.Line(IsBinary(member) ? $"hash.Add({Kernels}BinaryValue.HashOf({Escape(member.Name)}));" : $"hash.Add({Escape(member.Name)});");
            code.Line("return hash.ToHashCode();");
        }
    }

    private void EmitProperty(TabularMember member)
    {
        code.Line($"/// <inheritdoc cref=\"{type.Shape.FullName}.{Escape(member.Name)}\"/>");
        string accessibility = member.IsPublic ? "public" : "internal";
        string required = member is { IsOptional: false, IsPublic: true } ? "required " : "";
        string initial = member.Column.DefaultText is { } text ? $" = {text};"
            : member.Column is { Storage: StorageKind.String, Type.IsNullable: false } && required.Length == 0 ? " = \"\";" : "";
        code.Line($"{accessibility} {required}{member.Declared} {Escape(member.Name)} {{ get; init; }}{initial}");
    }
}
