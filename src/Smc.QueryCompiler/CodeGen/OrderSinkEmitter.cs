using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Sorts elements by their keys, stably; with a count it keeps only the first of them in a heap. Strings compare as <c>Comparer&lt;string&gt;.Default</c> does.</summary>
internal sealed class OrderSinkEmitter(KernelScope scope, Pipeline pipeline, OrderSink sink) : SinkEmitter(scope, pipeline)
{
    private readonly bool _hasTexts = sink.Keys.Any(k => k.Value.Type.Kind == TypeKind.String);

    /// <summary>Strings are materialised for comparison, and a heap would forget which of them it still needs: then everything is sorted.</summary>
    private bool IsHeap => sink.Count is not null && !_hasTexts;

    /// <summary>The sorted list, as a member of the state.</summary>
    public string RowsField => IsHeap ? $"Top{Suffix}.Rows" : $"Rows{Suffix}";

    private string Rows => "s." + RowsField;

    public override void Prepare(string? context)
    {
        WriteRow();
        if (_hasTexts)
            Scope.Field("global::System.Collections.Generic.List<string?>?", "Texts" + Suffix);
        if (_hasTexts)
            Scope.Setup.Line($"s.Texts{Suffix} = new();");
        if (IsHeap)
        {
            Scope.Field($"{KernelApi.TopRows}<SortRow{Suffix}>", "Top" + Suffix);
            Scope.Setup.Line($"s.Top{Suffix} = new({Scope.Invariant(sink.Count!)});");
            Scope.Field("long", "Sequence" + Suffix);
        }
        else
        {
            Scope.Field($"{KernelApi.RegionList}<SortRow{Suffix}>", "Rows" + Suffix);
        }
    }

    public override void Element(CodeWriter writer, Cursor cursor)
    {
        ScalarEmitter emitter = new(Scope, cursor);
        writer.Line($"SortRow{Suffix} row = default;");
        for (int i = 0; i < sink.Keys.Count; i++)
        {
            string value = emitter.Value(sink.Keys[i].Value);
            if (sink.Keys[i].Value.Type.Kind == TypeKind.String)
                writer.Line($"row.Key{i} = s.Texts{Suffix}!.Count;").Line($"s.Texts{Suffix}.Add({value});");
            else
                writer.Line($"row.Key{i} = {value};");
        }

        writer.Line($"row.Element = {ElementAddress};");
        if (IsHeap)
            writer.Line($"row.Sequence = s.Sequence{Suffix}++;").Line($"s.Top{Suffix}.Offer(ref s.Region, row);");
        else
            writer.Line($"s.Rows{Suffix}.Add(ref s.Region, row);");
    }

    public override void Finish(CodeWriter writer)
    {
        string texts = _hasTexts ? $"s.Texts{Suffix}!" : "null";
        writer.Line($"{KernelApi.StableSort}.Sort(ref s.Region, ref {Rows}, {texts});");
        if (sink.Count is { } count && !IsHeap)
            writer.Line($"{Rows}.Truncate({Scope.Invariant(count)});");
    }

    private void WriteRow()
    {
        CodeWriter types = Scope.Types;
        using (types.Open($"private struct SortRow{Suffix} : {KernelApi.ISortRow}<SortRow{Suffix}>"))
        {
            for (int i = 0; i < sink.Keys.Count; i++)
                types.Line($"public {(sink.Keys[i].Value.Type.Kind == TypeKind.String ? "int" : sink.Keys[i].Value.Type.Text)} Key{i};");
            types.Line("public ulong Element;");
            if (IsHeap)
                types.Line("public long Sequence;");
            types.Line();
            using (types.Open($"public static int Compare(in SortRow{Suffix} left, in SortRow{Suffix} right, global::System.Collections.Generic.List<string?>? texts)"))
            {
                types.Line("int order;");
                for (int i = 0; i < sink.Keys.Count; i++)
                    types.Line($"if ((order = {Comparison(sink.Keys[i], i)}) != 0)").Line("    return order;");
                types.Line(IsHeap ? "return left.Sequence.CompareTo(right.Sequence);" : "return 0;");
            }
        }

        types.Line();
    }

    private static string Comparison(OrderKey key, int index)
    {
        (string left, string right) = key.Descending ? ("right", "left") : ("left", "right");
        (string a, string b) = ($"{left}.Key{index}", $"{right}.Key{index}");
        if (key.Value.Type.Kind == TypeKind.String)
            return $"global::System.Collections.Generic.Comparer<string?>.Default.Compare(texts![{a}], texts[{b}])";
        if (key.Value.Type.IsNullable)
            return $"global::System.Nullable.Compare({a}, {b})";
        return key.Value.Type.Kind == TypeKind.Enum
            ? $"(({ScalarTraits.CSharpName(key.Value.Type.EnumUnderlying)}){a}).CompareTo(({ScalarTraits.CSharpName(key.Value.Type.EnumUnderlying)}){b})"
            : $"{a}.CompareTo({b})";
    }
}
