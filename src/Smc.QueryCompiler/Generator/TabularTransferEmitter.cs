using System.Globalization;
using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;
using static Smc.QueryCompiler.Generator.TabularNames;

namespace Smc.QueryCompiler.Generator;

/// <summary>Writes what describes a type's properties to bulk loads and exports, and adds a row from a buffer of theirs.</summary>
internal sealed class TabularTransferEmitter(TabularDeclaration type, CodeWriter code)
{
    private readonly string _self = type.Shape.FullName;

    public void Emit()
    {
        code.Line($"private static {RowTransfer}<{_self}> Transfer() => new {RowTransfer}<{_self}>(");
        using (code.Indent())
        {
            code.Line("AddFrom,");
            for (int i = 0; i < type.Members.Count; i++)
                code.Line(Property(type.Members[i]) + (i == type.Members.Count - 1 ? ")" : ","));
            code.Line($"{{ Record = new {Kernels}RowRecord<{type.DataFullName}>(CreateData, CopyData) }};");
        }

        code.Line();
        code.Line($"private static {_self} AddFrom({Collection}<{_self}> collection, {RowBuffer} rows, int index) => {AddMethod}(");
        using (code.Indent())
        {
            code.Line("collection,");
            for (int i = 0; i < type.Members.Count; i++)
                code.Line($"{type.Members[i].Parameter}: rows.Value<{type.Members[i].Declared}>({Number(i)}, index){(i == type.Members.Count - 1 ? ");" : ",")}");
        }

        code.Line();
        EmitRecord();
    }

    private void EmitRecord()
    {
        code.Line($"private static {type.DataFullName} CreateData({RowBuffer} rows, int index) => new {type.DataFullName}");
        code.Line("{");
        using (code.Indent())
        {
            for (int i = 0; i < type.Members.Count; i++)
                code.Line($"{Escape(type.Members[i].Name)} = rows.Value<{type.Members[i].Declared}>({Number(i)}, index),");
        }

        code.Line("};");
        code.Line();
        using (code.Open($"private static void CopyData({type.DataFullName} data, {RowBuffer} rows, int index)"))
        {
            for (int i = 0; i < type.Members.Count; i++)
                code.Line($"rows.SetValue<{type.Members[i].Declared}>({Number(i)}, index, data.{Escape(type.Members[i].Name)});");
        }
    }

    private string AddMethod => type.ExtensionAccessibility is null ? $"{_self}.Add"
        : type.Namespace.Length == 0 ? $"global::{type.ExtensionName}.Add" : $"global::{type.Namespace}.{type.ExtensionName}.Add";

    private string Property(TabularMember member)
    {
        ColumnShape column = member.Column;
        TabularColumnWriter writer = new(type, member);
        string defaultValue = column.DefaultText is { } text ? $", {text}" : "";
        if (IsPlain(column))
            return $"new {Kernels}PlainProperty<{member.Declared}>({Traits(member)}, {member.Name}Offset, {member.Name}Stride{defaultValue})";
        string property = member.TargetCanBeNull && column.Storage != StorageKind.String ? $"NullableProperty<{column.Type.CSharp}>" : $"TabularProperty<{member.Declared}>";
        return $"new {Kernels}{property}({Traits(member)}, static (in {OpenRow} row) => {writer.ReadOpen()}{defaultValue})";
    }

    private static bool IsPlain(ColumnShape column) => column is { Precision: 0, NullBitmapOffset: < 0, IsReference: false }
        && column.Storage is not (StorageKind.String or StorageKind.Binary);

    private static string Traits(TabularMember member)
    {
        ColumnShape column = member.Column;
        List<string> traits = [];
        if (column.Type.IsNullable)
            traits.Add("IsNullable = true");
        if (column.IsReference)
            traits.Add("IsReference = true");
        if (!member.IsPublic)
            traits.Add("IsInternal = true");
        if (member.IsOptional)
            traits.Add("IsOptional = true");
        if (member.FormerName is { } former)
            traits.Add($"FormerName = {PrimitiveText.TryOf(former)}");
        if (column.Precision > 0)
            traits.Add($"Precision = {Number(column.Precision)}, Scale = {Number(column.Scale)}");
        if (member.Rounding is not null)
            traits.Add("Rounds = true");
        return $"new {Kernels}ColumnTraits(\"{member.Name}\")" + (traits.Count == 0 ? "" : $" {{ {string.Join(", ", traits)} }}");
    }

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
}
