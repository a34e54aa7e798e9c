using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// The scan of a block: zone maps first, then whole columns a batch at a time into a bitmap, then a selection vector that further passes shorten.
/// What is left of a batch goes to the consumer.
/// </summary>
internal sealed class FilterStage(KernelScope scope, FilterPlan filters, TabularShape shape, string suffix)
{
    private readonly List<string> _ranges = [];
    private readonly List<string> _passes = [];
    private NavigationStage[] _navigations = [];

    /// <summary>Declares the state of the filters and writes what is computed before the scan.</summary>
    /// <param name="context">Text of the memory context whose blocks are scanned.</param>
    public void Prepare(string context)
    {
        foreach (RangeFilter filter in filters.Ranges)
            _ranges.Add(PrepareRange(filter));
        _navigations = [.. filters.Navigations.Select((n, i) => new NavigationStage(scope, n, $"{suffix}_{i}"))];
        foreach (NavigationStage navigation in _navigations)
            navigation.Prepare(context);
    }

    /// <summary>Writes the methods that a batch calls.</summary>
    /// <param name="unresolved">Writes what happens to a row whose reference gives no answer; the default gives up.</param>
    public void WritePasses(Action<CodeWriter>? unresolved = null)
    {
        for (int i = 0; i < filters.Ranges.Count; i++)
        {
            if (!IsVectorised(filters.Ranges[i]))
                WritePass($"{_ranges[i]}.Contains({Raw(filters.Ranges[i])})");
        }

        foreach (ScalarExpression condition in filters.Selections)
            WritePass(new ScalarEmitter(scope, RowCursor.Instance).Value(condition));
        foreach (NavigationStage navigation in _navigations)
            _passes.Add(navigation.WritePass(unresolved));
    }

    /// <summary>Writes the statements at the top of a block's method that leave it when the zone maps say that no row can pass.</summary>
    public void WriteZoneTests(CodeWriter writer)
    {
        for (int i = 0; i < filters.Ranges.Count; i++)
        {
            string zone = $"{RowCursor.Block} + {scope.Layout.Zone(shape, filters.Ranges[i].Column)}";
            writer.Line($"if ({_ranges[i]}.Excludes({zone}))").Line("    return;");
            if (IsVectorised(filters.Ranges[i]))
                writer.Line($"bool tests{filters.Ranges[i].Column.Name} = !{_ranges[i]}.Covers({zone});");
        }
    }

    /// <summary>Writes the loop over a block's batches.</summary>
    /// <param name="writer">The method's body.</param>
    /// <param name="beforeSelection">Writes what may take a batch as a bitmap; ends with <c>continue</c> where it did. Null when nothing does.</param>
    /// <param name="consume">Writes what happens to the <c>count</c> selected rows.</param>
    public void WriteBatches(CodeWriter writer, Action<CodeWriter>? beforeSelection, Action<CodeWriter> consume)
    {
        List<RangeFilter> columns = [.. filters.Ranges.Where(IsVectorised)];
        if (RowsWait)
            writer.Line("int waiting = 0;");
        using (writer.Open($"for (int first = 0; first < slots; first += {KernelApi.ScanBatch}.Rows)"))
        {
            writer.Line($"int rows = global::System.Math.Min({KernelApi.ScanBatch}.Rows, slots - first);");
            writer.Line($"{KernelApi.RowBitmap}.Begin(s.Bitmap, validity, first, rows);");
            for (int i = 0; i < columns.Count; i++)
            {
                if (RowsWait && i == columns.Count - 1)
                    WriteWait(writer);
                WriteRange(writer, columns[i]);
            }

            if (_passes.Count == 0)
                beforeSelection?.Invoke(writer);
            writer.Line($"int count = {KernelApi.RowBitmap}.ToSelection(s.Bitmap, first, rows, s.Selection);");
            WriteSelected(writer, consume);
            writer.Lines(Leave);
        }
    }

    private const string Leave = "if (s.IsDone || s.GaveUp)\n    break;";

    /// <summary>
    /// Where few rows of a batch are left, the last column is read for these alone, and they wait for those of other batches: what follows then runs over
    /// many rows at once, with their cache misses side by side.
    /// </summary>
    private void WriteWait(CodeWriter writer)
    {
        writer.Line($"bool isFew = {KernelApi.RowBitmap}.TryAppendFew(s.Bitmap, first, rows, s.Selection, ref waiting);");
        writer.Line($"if (isFew && waiting < {KernelApi.ScanBatch}.Rows / 2 && first + rows < slots)").Line("    continue;");
        using (writer.Open("if (waiting > 0)"))
        {
            writer.Line($"Rest{suffix}(ref s, {RowCursor.Block}, waiting);");
            writer.Line("waiting = 0;");
            writer.Lines(Leave);
        }

        writer.Line("if (isFew)").Line("    continue;");
    }

    /// <summary>Writes the method that takes rows that waited through the last column and what follows, where rows may wait.</summary>
    public void WriteRest(Action<CodeWriter> consume)
    {
        if (!RowsWait)
            return;
        CodeWriter writer = scope.Methods;
        RangeFilter last = filters.Ranges.Last(IsVectorised);
        string range = RangeOf(last);
        KernelMethods.Header(writer);
        using (writer.Open($"private static void Rest{suffix}(ref State s, ulong {RowCursor.Block}, int count)"))
        {
            writer.Line($"if (!{range}.Covers({RowCursor.Block} + {scope.Layout.Zone(shape, last.Column)}))");
            writer.Line($"    count = {KernelApi.ColumnFilter}.SelectRange<{ColumnEmitter.StorageType(last.Column)}>({RowCursor.Block} + {scope.Layout.Offset(shape, last.Column)}, s.Selection, count, {range});");
            WriteSelected(writer, consume);
        }

        writer.Line();
    }

    private bool RowsWait => filters.Ranges.Count(IsVectorised) > 1;

    private void WriteSelected(CodeWriter writer, Action<CodeWriter> consume)
    {
        foreach (string pass in _passes)
            writer.Line($"count = {pass}(ref s, {RowCursor.Block}, count);");
        consume(writer);
    }

    private void WriteRange(CodeWriter writer, RangeFilter filter)
    {
        string column = $"{RowCursor.Block} + {scope.Layout.Offset(shape, filter.Column)} + ((ulong)first * {scope.Layout.Stride(shape, filter.Column)})";
        writer.Line($"if (tests{filter.Column.Name})");
        writer.Line($"    {KernelApi.ColumnFilter}.KeepRange<{ColumnEmitter.StorageType(filter.Column)}>({column}, rows, s.Bitmap, {RangeOf(filter)});");
    }

    private string RangeOf(RangeFilter filter) => _ranges[filters.Ranges.ToList().IndexOf(filter)];

    private void WritePass(string condition)
    {
        string name = $"Select{suffix}_{_passes.Count}";
        KernelMethods.Header(scope.Methods);
        using (scope.Methods.Open($"private static int {name}(ref State s, ulong {RowCursor.Block}, int count)"))
        {
            scope.Methods.Line("ulong kept = s.Selection;");
            using (scope.Methods.Open(KernelMethods.SelectionLoop))
            {
                scope.Methods.Line(KernelMethods.SelectedSlot);
                scope.Methods.Line($"{KernelApi.KernelMemory}.Write(kept, (uint){RowCursor.Slot});");
                scope.Methods.Line($"kept += {KernelApi.KernelMemory}.ToUInt64({condition}) << 2;");
            }

            scope.Methods.Line("return (int)((kept - s.Selection) >> 2);");
        }

        scope.Methods.Line();
        _passes.Add(name);
    }

    private string PrepareRange(RangeFilter filter)
    {
        string field = scope.Field(KernelApi.ValueRange, "Range" + filter.Column.Name + suffix);
        List<string> bounds = [.. filter.Bounds.Select(b => Bound(b, filter.Column))];
        scope.Setup.Line($"{field} = {KernelApi.ValueRange}.All{string.Concat(bounds)};");
        return field;
    }

    private string Bound(RangeBound bound, ColumnShape column)
    {
        string method = bound.Operator switch
        {
            BinaryOperator.LessThan => "Below",
            BinaryOperator.LessThanOrEqual => "AtMost",
            BinaryOperator.GreaterThan => "Above",
            BinaryOperator.GreaterThanOrEqual => "AtLeast",
            _ => "Exactly",
        };
        if (bound.Value is not { } value)
            return $".{method}({(bound.Truth ? 1 : 0)}L)";
        string text = scope.Invariant(value);
        return value.Type.Kind switch
        {
            TypeKind.Decimal => $".{method}({text}, {column.Scale})",
            TypeKind.DateOnly => $".{method}((long){text}.DayNumber)",
            TypeKind.TimeOnly or TypeKind.TimeSpan => $".{method}({text}.Ticks)",
            TypeKind.Boolean => $".{method}({text} ? 1L : 0L)",
            _ => $".{method}((long){text})",
        };
    }

    private string Raw(RangeFilter filter) =>
        $"{KernelApi.KernelMemory}.Read<{ColumnEmitter.StorageType(filter.Column)}>({RowCursor.Block} + {scope.Layout.Offset(shape, filter.Column)} + ({RowCursor.Slot} * {scope.Layout.Stride(shape, filter.Column)}))";

    private static bool IsVectorised(RangeFilter filter) => filter.Column.IsContiguous;
}
