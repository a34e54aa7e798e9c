using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;
using static Smc.QueryCompiler.Generator.TabularNames;

namespace Smc.QueryCompiler.Generator;

/// <summary>
/// Writes the generated half of a tabular type: the struct's members, its column constants and schema, the detached record, and the
/// extension methods of its collections. One file per type.
/// </summary>
internal sealed class TabularEmitter
{
    private const string GeneratedCode = "[global::System.CodeDom.Compiler.GeneratedCode(\"Smc.Collections\", \"0.1\")]";

    private readonly TabularDeclaration _type;
    private readonly CodeWriter _code = new();
    private readonly string _self;
    private readonly string _data;

    private TabularEmitter(TabularDeclaration type)
    {
        _type = type;
        _self = type.Shape.FullName;
        _data = type.DataFullName;
    }

    /// <summary>The file's text.</summary>
    public static string Emit(TabularDeclaration type)
    {
        TabularEmitter emitter = new(type);
        emitter.EmitFile();
        return emitter._code.ToString();
    }

    private void EmitFile()
    {
        _code.Lines(GeneratedFile.Header);
        _code.Line();
        if (_type.Namespace.Length > 0)
            _code.Line($"namespace {_type.Namespace};").Line();
        foreach (string outer in _type.ContainingTypes)
            _code.Open(outer);
        if (_type.Stub is { } stub)
            new TabularStubEmitter(_type, stub, _code).Emit();
        else
            EmitStruct();
        if (_type.HasData)
        {
            _code.Line();
            new TabularDataEmitter(_type, _code).Emit();
        }

        foreach (string _ in _type.ContainingTypes)
            _code.Close();
        if (_type.HasData && _type.ExtensionAccessibility is not null)
            EmitExtensions();
    }

    private void EmitStruct()
    {
        _code.Line(GeneratedCode);
        TabularShape shape = _type.Shape;
        _code.Line($"[{StoredLayout}(capacity: {shape.Capacity}, blockBytes: {shape.BlockBytes}, rowStride: {shape.RowStride}, hash: 0x{shape.LayoutHash:X16}UL)]");
        _code.Line("[global::System.Diagnostics.DebuggerDisplay(\"{ToString(),nq}\")]");
        _code.Line($"[global::System.Diagnostics.DebuggerTypeProxy(typeof({RowDebugView}<{_self}>))]");
        if (_type.HasData && !_type.DeclaresJsonConverter)
            _code.Line($"[global::System.Text.Json.Serialization.JsonConverter(typeof({Kernels}RowJsonConverter<{_self}>))]");
        using (_code.Open($"readonly partial struct {Escape(_type.Name)} : global::System.IEquatable<{_self}>, {ITabular}"))
        {
            _code.Line("private readonly ulong _handle;").Line();
            foreach (TabularMember member in _type.Members)
                EmitProperty(member);
            foreach (TabularRefusedProperty property in _type.Refused)
                property.EmitThrowing(_code);
            EmitState();
            EmitSet();
            EmitReading();
            EmitEquality();
            if (!_type.DeclaresToString)
                EmitToString();
            if (_type.ExtensionAccessibility is null)
                new TabularAddEmitter(_type, _code).Emit(isExtension: false);
            new TabularColumnsEmitter(_type, _code).Emit();
        }
    }

    private void EmitProperty(TabularMember member)
    {
        TabularColumnWriter writer = new(_type, member);
        ColumnShape c = member.Column;
        _code.Line($"[{StoredColumn}({_type.IndexOf(member)}, width: {c.Width}, offset: {c.Offset}, stride: {c.Stride}, nulls: {Number(c.NullBitmapOffset)}, zone: {Number(c.ZoneMapOffset)}, sketch: {Number(c.SketchOffset)})]");
        using (_code.Open($"{member.Modifiers} {member.Declared} {Escape(member.Name)}"))
        {
            _code.Line($"{member.GetterModifier}get => {writer.ReadHandle(_self, "_handle")};");
            if (!writer.NeedsCheck)
            {
                _code.Line($"{member.SetterModifier}set => {writer.WriteHandle(_self, "_handle", "value")};");
            }
            else
            {
                using (_code.Open($"{member.SetterModifier}set"))
                {
                    _code.Line($"{writer.Checked} stored = {writer.Check("value")};");
                    _code.Line(writer.WriteHandle(_self, "_handle", "stored") + ";");
                }
            }
        }

        _code.Line();
    }

    private void EmitState()
    {
        _code.Line("/// <summary>Whether this is the null handle, which refers to no row.</summary>");
        _code.Line("public bool IsNull => _handle == 0;").Line();
        _code.Line("/// <summary>Whether the row exists: the handle is not null and the row has not been removed. Another thread may remove it right after.</summary>");
        _code.Line("public bool IsAlive => global::Smc.Memory.Handle.IsAlive(_handle);").Line();
        _code.Line($"{Schema} {ITabular}.Schema => {_type.ColumnsName}.Schema;").Line();
        _code.Line($"object? {ITabular}.CopyData() => TryRead(out {_data}? data) ? data : null;").Line();
    }

    private void EmitSet()
    {
        string row = Free("row", _type.Members);
        _code.Line("/// <summary>Writes the given properties and leaves the others. All values are checked before the first is written: if it throws, nothing has changed.</summary>");
        _code.Line("/// <remarks>Other threads see each property change as a whole, one after the other. A snapshot has all of them or none.</remarks>");
        _code.Line($"{_type.MemberAccessibility} void Set(");
        using (_code.Indent())
        {
            for (int i = 0; i < _type.Members.Count; i++)
                _code.Line(ParameterOfSet(_type.Members[i]) + (i == _type.Members.Count - 1 ? ")" : ","));
        }

        using (_code.Open(""))
        {
            foreach (TabularMember member in _type.Members)
            {
                TabularColumnWriter writer = new(_type, member);
                if (!writer.NeedsCheck)
                    continue;
                string value = $"{member.Parameter}.Value";
                _code.Line($"{NullableText(writer.Checked)} {CheckedName(member)} = {member.Parameter}.HasValue ? ({writer.Check(value)}) : default;");
            }

            _code.Line($"using {OpenRow} {row} = {OpenRow}.EnterToWrite<{_self}>(_handle);");
            new TabularSetEmitter(_type, _code, row, CheckedName).Emit();
        }

        _code.Line();
    }

    internal static string ParameterOfSet(TabularMember member) =>
        $"{(member.Column is { IsReference: true, Type.IsNullable: false } ? OptionalRow : Optional)}<{member.Declared}> {member.Parameter} = default";

    private void EmitReading()
    {
        _code.Line("/// <summary>Copies the row, if it is alive. While another thread writes several properties, some may be new and others old.</summary>");
        using (_code.Open($"{_type.MemberAccessibility} bool TryRead([global::System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out {_data}? data)"))
        {
            using (_code.Open($"if ({OpenRow}.TryEnter(_handle, out {OpenRow} row))"))
            {
                _code.Line("using (row)");
                using (_code.Indent())
                    _code.Line($"data = {_type.ColumnsName}.Copy(row);");
                _code.Line("return true;");
            }

            _code.Line();
            _code.Line("data = null;");
            _code.Line("return false;");
        }

        _code.Line();
        _code.Line("/// <summary>Copies the row. While another thread writes several properties, some may be new and others old.</summary>");
        _code.Line("/// <exception cref=\"global::System.NullReferenceException\">The handle is null.</exception>");
        _code.Line("/// <exception cref=\"global::Smc.Collections.RowRemovedException\">The row has been removed.</exception>");
        using (_code.Open($"{_type.MemberAccessibility} {_data} ToData()"))
        {
            _code.Line($"using {OpenRow} row = {OpenRow}.Enter<{_self}>(_handle);");
            _code.Line($"return {_type.ColumnsName}.Copy(row);");
        }

        _code.Line();
    }

    private void EmitEquality()
    {
        _code.Line("/// <summary>Whether both refer to the same row, or both are null.</summary>");
        _code.Line($"public bool Equals({_self} other) => _handle == other._handle;").Line();
        _code.Line("/// <inheritdoc/>");
        _code.Line($"public override bool Equals(object? obj) => obj is {_self} other && _handle == other._handle;").Line();
        _code.Line("/// <inheritdoc/>");
        _code.Line("public override int GetHashCode() => _handle.GetHashCode();").Line();
        Operator("Whether both refer to the same row, or both are null.", $"bool operator ==({_self} left, {_self} right) => left._handle == right._handle");
        Operator("Whether they refer to different rows.", $"bool operator !=({_self} left, {_self} right) => left._handle != right._handle");
        Operator("Whether the handle is null.", $"bool operator ==({_self} left, {NoRow}? right) => left._handle == 0");
        Operator("Whether the handle is not null.", $"bool operator !=({_self} left, {NoRow}? right) => left._handle != 0");
        Operator("Whether the handle is null.", $"bool operator ==({NoRow}? left, {_self} right) => right._handle == 0");
        Operator("Whether the handle is not null.", $"bool operator !=({NoRow}? left, {_self} right) => right._handle != 0");
        Operator("The null handle.", $"implicit operator {_self}({NoRow}? none) => default");
    }

    private void Operator(string summary, string text)
    {
        _code.Line($"/// <summary>{summary}</summary>");
        _code.Line($"public static {text};").Line();
    }

    private void EmitToString()
    {
        _code.Line("/// <summary>The type and the values of the row.</summary>");
        _code.Line($"public override string ToString() => TryRead(out {_data}? data)");
        using (_code.Indent())
        {
            _code.Line($"? new {RowText}(\"{_type.Name}\")");
            using (_code.Indent())
            {
                foreach (TabularMember member in _type.Members)
                    _code.Line($".{(member.Column.IsReference ? "Reference" : "Value")}(\"{member.Name}\", data.{Escape(member.Name)})");
                _code.Line(".ToString()");
            }

            _code.Line($": {RowText}.Unreadable(\"{_type.Name}\", IsNull);");
        }

        _code.Line();
    }

    private void EmitExtensions()
    {
        _code.Line();
        _code.Line($"/// <summary>Adds rows to collections of <see cref=\"{_self}\"/>.</summary>");
        _code.Line(GeneratedCode);
        string accessibility = _type.MemberAccessibility == "public" ? _type.ExtensionAccessibility! : "internal";
        using (_code.Open($"{accessibility} static class {_type.ExtensionName}"))
            new TabularAddEmitter(_type, _code).Emit(isExtension: true);
    }

    private static string Number(int value) => value.ToString(System.Globalization.CultureInfo.InvariantCulture);

    private string CheckedName(TabularMember member) => Free(member.Parameter.TrimStart('@') + "Stored", _type.Members);

    private static string NullableText(string type) => type == "string" ? "string?" : type;
}
