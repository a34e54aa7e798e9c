using Smc.QueryCompiler.CodeGen;
using Smc.QueryCompiler.Plan;
using static Smc.QueryCompiler.Generator.TabularNames;

namespace Smc.QueryCompiler.Generator;

/// <summary>Writes <c>Add(key: …, …)</c> and <c>AddRange</c>: as extension methods, or as static members of a row type that no extension class can see.</summary>
internal sealed class TabularAddEmitter(TabularDeclaration type, CodeWriter code)
{
    private readonly string _self = type.Shape.FullName;
    private readonly string _collection = Free("collection", type.Members);
    private readonly string _row = Free("row", type.Members);

    public void Emit(bool isExtension)
    {
        EmitAdd(isExtension);
        code.Line();
        EmitAddData(isExtension);
        code.Line();
        EmitAddRange(isExtension, "global::System.ReadOnlySpan<{0}>", "added");
        code.Line();
        EmitAddRange(isExtension, "{0}[]", "added");
        code.Line();
        EmitAddRange(isExtension, "global::System.Collections.Generic.IEnumerable<{0}>", null);
        code.Line();
        EmitAddRangeAsync(isExtension);
    }

    private void EmitAdd(bool isExtension)
    {
        code.Line("/// <summary>Adds a row. All values are checked first, and other threads do not see the row before it is complete.</summary>");
        EmitRefusals();
        code.Line($"{Accessibility(isExtension)} static {_self} Add(");
        using (code.Indent())
        {
            // Required parameters first, each group as declared.
            List<string> parameters = [$"{Receiver(isExtension)}{Collection}<{_self}> {_collection}"];
            parameters.AddRange(type.Members.Where(m => !m.IsOptional).Select(m => $"{m.Declared} {m.Parameter}"));
            parameters.AddRange(type.Members.Where(m => m.IsOptional).Select(m => $"{m.Declared} {m.Parameter} = {m.Column.DefaultText ?? "default"}"));
            for (int i = 0; i < parameters.Count; i++)
                code.Line(parameters[i] + (i == parameters.Count - 1 ? ")" : ","));
        }

        using (code.Open(""))
            EmitAddBody(isExtension);
    }

    private void EmitAddData(bool isExtension)
    {
        code.Line("/// <summary>Adds a row with the values of a detached record. Other threads do not see the row before it is complete.</summary>");
        EmitRefusals();
        code.Line($"{Accessibility(isExtension)} static {_self} Add({Receiver(isExtension)}{Collection}<{_self}> collection, {type.DataFullName} data)");
        using (code.Open(""))
        {
            if (type.Stub is not null)
            {
                code.Line("throw null!;");
                return;
            }

            code.Line("global::System.ArgumentNullException.ThrowIfNull(data);");
            string arguments = string.Join(", ", type.Members.Select(m => $"{m.Parameter}: data.{Escape(m.Name)}"));
            code.Line(isExtension ? $"return Add(collection, {arguments});" : $"return {_self}.Add(collection, {arguments});");
        }
    }

    /// <summary>What an editor shows of the exceptions of <c>Add</c>.</summary>
    private void EmitRefusals()
    {
        code.Line("/// <exception cref=\"global::System.ArgumentException\">A value cannot be stored exactly, or is null where the property is not nullable; the property is named.</exception>");
        if (type.Members.Any(m => m.Column.Precision > 0))
            code.Line("/// <exception cref=\"global::System.OverflowException\">A decimal has more digits before the point than its precision leaves; the property is named.</exception>");
        code.Line("/// <exception cref=\"global::Smc.Collections.DuplicateKeyException\">A unique index has another row with the key.</exception>");
    }

    private void EmitAddBody(bool isExtension)
    {
        if (type.Stub is not null)
        {
            code.Line("throw null!;");
            return;
        }

        TabularColumnWriter[] writers = type.Members.Select(m => new TabularColumnWriter(type, m, isExtension)).ToArray();
        for (int i = 0; i < writers.Length; i++)
        {
            if (writers[i].NeedsCheck)
                code.Line($"{writers[i].Checked} {CheckedName(i)} = {writers[i].Check(type.Members[i].Parameter)};");
        }

        EmitExpectations(writers);
        code.Line($"{NewRow} {_row} = {NewRow}.Allocate({_collection});");
        using (code.Open("try"))
            EmitWrites(writers);
        using (code.Open("finally"))
            code.Line($"{_row}.Leave();");
    }

    private void EmitExpectations(TabularColumnWriter[] writers)
    {
        if (!writers.Any(writer => writer.CanBeExpected))
            return;
        using (code.Open($"if ({ComingKey}.IsAny<{_self}>())"))
        {
            for (int i = 0; i < writers.Length; i++)
            {
                if (writers[i].CanBeExpected)
                    code.Line(writers[i].Expect(_collection, Value(writers, i)));
            }
        }
    }

    private string Value(TabularColumnWriter[] writers, int i) => writers[i].NeedsCheck ? CheckedName(i) : type.Members[i].Parameter;

    private void EmitWrites(TabularColumnWriter[] writers)
    {
        for (int i = 0; i < writers.Length; i++)
            code.Line(writers[i].Write(_row, Value(writers, i)));
        code.Line($"return {_row}.Publish<{_self}>();");
    }

    private void EmitAddRange(bool isExtension, string sequence, string? added)
    {
        code.Line("/// <summary>Adds a row for each element, or none at all: when one is refused, those before it are removed again.</summary>");
        if (added is null)
            code.Line("/// <remarks>A sequence that reads the collection itself finds what was there when this call began: it does not see the rows that are added. Other threads see them one by one, and see them removed again if one is refused.</remarks>");
        code.Line("/// <param name=\"collection\">The collection.</param>");
        code.Line("/// <param name=\"rows\">The values of the rows.</param>");
        if (added is not null)
            code.Line($"/// <param name=\"{added}\">Takes the new rows in the order of the elements; empty when nobody wants them.</param>");
        EmitProgress();
        code.Line($"{Accessibility(isExtension)} static void AddRange(");
        using (code.Indent())
        {
            code.Line($"{Receiver(isExtension)}{Collection}<{_self}> collection,");
            code.Line(string.Format(System.Globalization.CultureInfo.InvariantCulture, sequence, type.DataFullName) + " rows,");
            if (added is not null)
                code.Line($"global::System.Span<{_self}> {added} = default,");
        }

        EmitCall(isExtension, "AddRange", added);
    }

    private void EmitAddRangeAsync(bool isExtension)
    {
        code.Line("/// <summary>Adds a row for each element as they come, or none at all: when one is refused, those before it are removed again.</summary>");
        code.Line("/// <remarks>Other threads see the rows one by one, and see them removed again if one is refused. The sequence itself does not see them.</remarks>");
        code.Line("/// <param name=\"collection\">The collection.</param>");
        code.Line("/// <param name=\"rows\">The values of the rows.</param>");
        EmitProgress();
        code.Line("/// <returns>The number of rows.</returns>");
        code.Line($"{Accessibility(isExtension)} static global::System.Threading.Tasks.Task<long> AddRangeAsync(");
        using (code.Indent())
        {
            code.Line($"{Receiver(isExtension)}{Collection}<{_self}> collection,");
            code.Line($"global::System.Collections.Generic.IAsyncEnumerable<{type.DataFullName}> rows,");
        }

        EmitCall(isExtension, "AddRangeAsync", added: null);
    }

    private void EmitProgress()
    {
        code.Line("/// <param name=\"progress\">Receives the number of rows added so far, about every thousand rows and at the end.</param>");
        code.Line("/// <param name=\"cancellationToken\">Gives up: the rows added so far are removed again.</param>");
        code.Line("/// <exception cref=\"global::System.OperationCanceledException\">The token was cancelled.</exception>");
    }

    private void EmitCall(bool isExtension, string method, string? added)
    {
        string arguments = string.Join(", ", type.Members.Select(m => $"{m.Parameter}: data.{Escape(m.Name)}"));
        string call = isExtension ? $"Add(target, {arguments})" : $"{_self}.Add(target, {arguments})";
        using (code.Indent())
        {
            code.Line("global::System.IProgress<long>? progress = null,");
            code.Line("global::System.Threading.CancellationToken cancellationToken = default)");
            code.Line(type.Stub is null
                ? $"=> {RowBatch}.{method}(collection, rows, {(added is null ? "" : added + ", ")}progress, cancellationToken, static (target, data) => {call});"
                : "=> throw null!;");
        }
    }

    private string Accessibility(bool isExtension) => isExtension ? type.MemberAccessibility : "internal";

    private static string Receiver(bool isExtension) => isExtension ? "this " : "";

    private string CheckedName(int i) => Free(type.Members[i].Parameter.TrimStart('@') + "Stored", type.Members);
}
