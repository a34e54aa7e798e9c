using System.Globalization;
using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;
using static Smc.QueryCompiler.Generator.TabularNames;

namespace Smc.QueryCompiler.Generator;

/// <summary>Writes the nested class with a type's column constants, its schema, and what reads and initialises whole rows.</summary>
internal sealed class TabularColumnsEmitter(TabularDeclaration type, CodeWriter code)
{
    public void Emit()
    {
        code.Line("/// <summary>Where the columns lie in a block. For generated code.</summary>");
        code.Line("[global::System.ComponentModel.EditorBrowsable(global::System.ComponentModel.EditorBrowsableState.Never)]");
        using (code.Open($"internal static class {type.ColumnsName}"))
        {
            foreach (ColumnShape column in type.Shape.Columns)
                EmitConstants(column);
            code.Line();
            EmitSchema();
            code.Line();
            EmitCopy();
            code.Line();
            EmitInitialize();
            code.Line();
            new TabularTransferEmitter(type, code).Emit();
        }
    }

    private void EmitConstants(ColumnShape column)
    {
        Constant(column.Name + "Offset", column.Offset);
        Constant(column.Name + "Stride", column.Stride);
        if (column.NullBitmapOffset >= 0)
            Constant(column.Name + "Nulls", column.NullBitmapOffset);
        if (column.HasZoneMap)
            Constant(column.Name + "Zone", column.ZoneMapOffset);
    }

    private void Constant(string name, int value) => code.Line($"public const int {name} = {value.ToString(CultureInfo.InvariantCulture)};");

    private void EmitSchema()
    {
        TabularShape shape = type.Shape;
        code.Line($"public static readonly {Schema} Schema = new {Schema}(");
        using (code.Indent())
        {
            code.Line($"typeof({shape.FullName}),");
            code.Line("new global::Smc.Memory.BlockLayout(");
            using (code.Indent())
            {
                code.Line($"\"{shape.Name}\",");
                code.Line($"global::Smc.Memory.BlockLayoutKind.{shape.Layout},");
                code.Line($"capacity: {shape.Capacity}, blockBytes: {shape.BlockBytes}, rowStride: {shape.RowStride}, hash: 0x{shape.LayoutHash:X16}UL,");
                for (int i = 0; i < shape.Columns.Count; i++)
                    code.Line(Layout(shape.Columns[i]) + (i == shape.Columns.Count - 1 ? ")," : ","));
            }

            List<string> more =
            [
                .. shape.Columns.Where(NeedsSizeCheck).Select(c => $".WithStruct<{c.Type.CSharp}>(\"{c.Name}\", {c.Width})"),
                .. type.Keys.Select(key => $".{(key.IsUnique ? "WithUnique" : "WithIndex")}(({shape.FullName} row) => {Selector(key.Names)})"),
                .. type.Members.Where(member => member.OnRemove is not null)
                    .Select(member => $".WithOnRemove<{member.Column.Type.CSharp}>(\"{member.Name}\", global::Smc.Collections.RemoveBehavior.{member.OnRemove})"),
            ];
            if (type.FormerName is { } former)
                more.Add($".WithFormerName({PrimitiveText.TryOf(former)})");
            code.Line("Initialize,");
            code.Line("Transfer)" + (more.Count == 0 ? ";" : ""));
            for (int i = 0; i < more.Count; i++)
                code.Line(more[i] + (i == more.Count - 1 ? ";" : ""));
        }
    }

    private static string Selector(EquatableArray<string> key)
    {
        string columns = string.Join(", ", key.Select(name => "row." + Escape(name)));
        return key.Count == 1 ? columns : $"global::System.ValueTuple.Create({columns})";
    }

    private static bool NeedsSizeCheck(ColumnShape column) => column.Type.Kind == TypeKind.Struct;

    private string Layout(ColumnShape column)
    {
        string storage = column.Storage switch
        {
            StorageKind.String => "String",
            StorageKind.Binary => "Binary",
            StorageKind.Reference => "Reference",
            StorageKind.DirectReference => "DirectReference",
            _ => "Plain",
        };
        string nulls = column.NullBitmapOffset >= 0 ? column.Name + "Nulls" : "-1";
        string zone = column.HasZoneMap ? column.Name + "Zone" : "-1";
        string key = column.Storage is StorageKind.U8 or StorageKind.U16 or StorageKind.U32 or StorageKind.U64 or StorageKind.Reference ? "Unsigned" : "Signed";
        return $"new global::Smc.Memory.ColumnLayout(\"{column.Name}\", {column.Name}Offset, {column.Width}, {column.Name}Stride, "
            + $"global::Smc.Memory.ColumnStorage.{storage}, {nulls}, {zone}, global::Smc.Memory.ZoneKey.{key}, {column.SketchOffset.ToString(CultureInfo.InvariantCulture)})";
    }

    private void EmitCopy()
    {
        string data = type.DataFullName;
        using (code.Open($"public static {data} Copy({OpenRow} row)"))
        {
            code.Line($"return new {data}");
            code.Line("{");
            using (code.Indent())
            {
                foreach (TabularMember member in type.Members)
                    code.Line($"{Escape(member.Name)} = {new TabularColumnWriter(type, member).ReadOpen()},");
            }

            code.Line("};");
        }
    }

    private void EmitInitialize()
    {
        using (code.Open($"private static void Initialize({NewRow} row)"))
        {
            foreach (TabularMember member in type.Members)
            {
                TabularColumnWriter writer = new(type, member);
                string value = member.Column.DefaultText is { } text ? $"(({writer.Checked})({writer.CheckConstant(text)}))" : Initial(member, writer);
                code.Line(writer.WriteDefault("row", value));
            }
        }
    }

    private static string Initial(TabularMember member, TabularColumnWriter writer) => member.Column switch
    {
        { Storage: StorageKind.String, Type.IsNullable: false } => "\"\"",
        { Storage: StorageKind.String } => "null",
        { Storage: StorageKind.Binary, Type.IsNullable: true } => "null",
        { Storage: StorageKind.Binary } => "default(global::System.ReadOnlyMemory<byte>)",
        { IsReference: true } => $"default({member.Declared})",
        _ => $"default({writer.Checked})",
    };
}
