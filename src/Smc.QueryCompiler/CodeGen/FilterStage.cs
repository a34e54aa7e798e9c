using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// The scan of a block: zone maps first, then whole columns (their sketches where they have them) a batch at a time into a bitmap, then a selection vector that further passes shorten.
/// What is left of a batch goes to the consumer.
/// </summary>
/// <param name="scope">The variant of the kernel.</param>
/// <param name="owner">The operator of the plan that rows are filtered for.</param>
/// <param name="filters">How its conditions are tested.</param>
/// <param name="scan">The scan, of its rows or of rows that they lead to.</param>
/// <param name="suffix">What names end with.</param>
/// <param name="keys">Filters of keys.</param>
internal sealed class FilterStage(KernelScope scope, LogicalOperator owner, FilterPlan filters, Scan scan, string suffix, IReadOnlyList<KeyFilter> keys)
{
    private readonly FilterSteps _steps = new(RowsOf(scope.Plan.Shape(scan.Shape)), filters, [.. keys.Select(key => key.Column)]);
    private readonly TabularShape _shape = scope.Plan.Shape(scan.Shape);
    private readonly List<string> _ranges = [];
    private readonly List<string> _texts = [];
    private readonly List<string> _passes = [];
    private List<LookUp> _lookUps = [];
    private NavigationStage[] _navigations = [];
    private EndPairStage? _endPair;
    private bool _marks;

    private string Order => "s.Order" + suffix;

    /// <summary>The columns that are compared with ranges, and texts of the values that pass. After <see cref="Prepare"/>.</summary>
    public IEnumerable<(RangeFilter Filter, string Range)> Ranges => filters.Ranges.Zip(_ranges, (filter, range) => (filter, range));

    /// <summary>What rows are called in explanations.</summary>
    public static string RowsOf(TabularShape shape) => shape.FullName.Substring(shape.FullName.LastIndexOfAny(['.', ':']) + 1);

    /// <summary>Declares the state of the filters and writes what is computed before the scan.</summary>
    /// <param name="context">Text of the memory context whose blocks are scanned.</param>
    public void Prepare(string context)
    {
        scope.Physical.Add(owner, _steps);
        foreach (RangeFilter filter in filters.Ranges)
            _ranges.Add(PrepareRange(filter));
        foreach (TextFilter filter in filters.Texts)
            _texts.Add(PrepareTexts(filter, context));
        _navigations = [.. filters.Navigations.Select((n, i) => new NavigationStage(scope, owner, n, $"{suffix}_{i}"))];
        foreach (NavigationStage navigation in _navigations)
            navigation.Prepare(context, _steps.TakesColumns || _steps.Narrows);
        if (filters.EndPair is not { } pair)
            return;
        _endPair = new EndPairStage(scope, scan, pair, StageOf(pair.Left), StageOf(pair.Right));
        _endPair.Prepare();

        NavigationStage StageOf(ReferenceEnd end) => _navigations.First(stage => stage.Filter.Reference.Equals(end.Root));
    }

    /// <summary>Lets conditions above the scan use what it asks about referenced rows.</summary>
    public void NoteAsked()
    {
        foreach (NavigationStage navigation in _navigations)
            scope.AskedTargets.Add(navigation);
    }

    /// <summary>Writes the methods that a batch calls.</summary>
    /// <param name="marked">The field with the rows that the scan marks: see <see cref="NavigationStage.LookUp"/>.</param>
    public void WritePasses(string? marked = null)
    {
        _marks = marked is not null;
        foreach (ScalarExpression condition in filters.Selections)
            WritePass(condition);
        _lookUps = [.. _navigations.Select(navigation => navigation.LookUp(marked)), .. keys.Select(KeepKeys)];
        if (!_steps.IsOrdered)
            return;
        scope.Field(KernelApi.FilterOrder, "Order" + suffix);
        scope.Setup.Line($"{Order} = new({_lookUps.Count});");
        foreach (NavigationStage navigation in _navigations)
            scope.Setup.Line($"{Order}.FixUnless({navigation.Target}.IsComplete());");
    }

    /// <summary>Writes the statements at the top of a block's method that leave it when the zone maps say that no row can pass.</summary>
    public void WriteZoneTests(CodeWriter writer)
    {
        for (int i = 0; i < filters.Ranges.Count; i++)
        {
            ColumnShape column = filters.Ranges[i].Column;
            writer.Line($"{KernelApi.BlockRange} {Local(column)} = {KernelApi.BlockRange}.Of({SlotPlace.BlockName}, {scope.Layout.Zone(_shape, column)}, {_ranges[i]});");
            writer.Line($"if ({Local(column)}.IsEmpty)").Line("    return;");
        }
    }

    /// <summary>
    /// Writes the loop over a block's batches. Selected rows of several batches are collected until there are enough: what follows then runs over many
    /// rows at once, with their cache misses side by side.
    /// </summary>
    /// <param name="writer">The method's body.</param>
    /// <param name="from">The slot to begin at, a multiple of 64.</param>
    /// <param name="wholeBatch">A condition, true if a batch was taken as a bitmap; null when nothing takes one.</param>
    /// <param name="consume">Writes what happens to the <c>count</c> selected rows.</param>
    /// <param name="mayExit">Whether that may take an exit that lies outside of the method.</param>
    public void WriteBatches(CodeWriter writer, string from, string? wholeBatch, Action<CodeWriter> consume, bool mayExit = false)
    {
        foreach (NavigationStage navigation in _navigations)
            navigation.WriteReferences(writer);
        for (int i = 0; i < keys.Count; i++)
        {
            ColumnShape column = _shape.Column(keys[i].Column.Column);
            writer.Line($"{KernelApi.BlockNumbers} {Keys(i)} = {keys[i].Field}.NumbersIn({new ColumnEmitter(scope).InBlock(_shape, column)});");
        }

        for (int i = 0; i < filters.Pairs.Count; i++)
            writer.Line($"{KernelApi.ColumnPair} {Pair(i)} = {PairInBlock(filters.Pairs[i])};");
        bool appendsFound = _steps.TakesColumns && _lookUps.Count > 0;
        if (appendsFound && _steps.IsOrdered)
            writer.Line($"{Order}.Weigh([{string.Join(", ", _lookUps.Select(lookUp => lookUp.Cost))}]);");
        // Whoever marks rows looks nothing up for them, so few are as good as many; and one row may be all that is asked for.
        bool mayWait = !_marks && !mayExit && _passes.Count + _lookUps.Count > (appendsFound && _endPair is null ? 1 : 0);
        writer.Line(mayWait ? "int count = 0, waiting = 0;" : "int count = 0;");
        using (writer.Open($"for (int first = {from}; first < slots; first += {KernelApi.ScanBatch}.Rows)"))
        {
            writer.Line($"int rows = global::System.Math.Min({KernelApi.ScanBatch}.Rows, slots - first);");
            bool mayTakeBatch = _passes.Count + _lookUps.Count == 0 && wholeBatch is not null;
            if (appendsFound)
            {
                WriteAppendFound(writer);
            }
            else if (filters.Ranges.Count + filters.Pairs.Count + filters.Texts.Count == 0 && !mayTakeBatch)
            {
                writer.Line($"count = {KernelApi.RowBitmap}.AppendRows(s.Selection, count, s.Bitmap, validity, first, rows);");
            }
            else
            {
                WriteRanges(writer);
                for (int i = 0; i < filters.Texts.Count; i++)
                    WriteTexts(writer, filters.Texts[i], _texts[i]);
                for (int i = 0; i < filters.Pairs.Count; i++)
                    writer.Line($"{KernelApi.ColumnPairFilter}.{filters.Pairs[i].Method}<{ColumnEmitter.StorageType(filters.Pairs[i].Left)}>({Pair(i)}, first, rows, s.Bitmap);");
                if (_steps.Narrows)
                    WriteNarrowing(writer);
                if (mayTakeBatch)
                    writer.Line($"if (!({wholeBatch}))");
                writer.Line($"{(mayTakeBatch ? "    " : "")}count = {KernelApi.RowBitmap}.AppendTo(s.Selection, count, s.Bitmap, first, rows);");
            }

            WritePassesOver(writer, mayWait, appendsFound ? 1 : 0);
            consume(writer);
            writer.Line(mayWait ? "count = waiting = 0;" : "count = 0;");
            writer.Line(mayExit ? "if (s.Exit != 0 || s.GaveUp)" : "if (s.GaveUp)").Line("    break;");
        }
    }

    /// <summary>Drops rows before there is a selection. A look-up whose turn is not the first waits for those before it where these may have no answer, so that it does not drop what they would raise.</summary>
    private void WriteNarrowing(CodeWriter writer)
    {
        writer.Line($"{_lookUps[0].Narrow};");
        if (_lookUps.Count == 1)
            return;
        using (writer.Open($"if (!{Order}.IsFixed)"))
        {
            foreach (LookUp lookUp in _lookUps.Skip(1))
                writer.Line($"{lookUp.Narrow};");
        }
    }

    /// <summary>Writes the passes over selected rows, once there are enough.</summary>
    /// <param name="writer">The loop over batches.</param>
    /// <param name="mayWait">Whether few rows that are left wait at the selection's beginning for those that the next passes leave, and are consumed together with them.</param>
    /// <param name="done">How many look-ups have been made.</param>
    private void WritePassesOver(CodeWriter writer, bool mayWait, int done)
    {
        writer.Line($"if ({(mayWait ? "count - waiting" : "count")} < {KernelApi.ScanBatch}.Enough && first + rows < slots)").Line("    continue;");
        if (mayWait)
            writer.Line("s.Selection += (ulong)waiting << 2;").Line("count -= waiting;");
        foreach (string pass in _passes)
            writer.Line($"count = {pass};");
        WriteLookUps(writer, done);
        if (_endPair is not null)
            writer.Line($"count = {_endPair.Keep()};");
        if (!mayWait)
            return;
        writer.Line("s.Selection -= (ulong)waiting << 2;").Line("waiting = count += waiting;");
        writer.Line($"if (count < {KernelApi.ScanBatch}.Enough && first + rows < slots && !s.GaveUp)").Line("    continue;");
    }

    /// <summary>Appends the rows of a batch that the first look-up leaves.</summary>
    private void WriteAppendFound(CodeWriter writer)
    {
        writer.Line($"{KernelApi.RowBitmap}.Begin(s.Bitmap, validity, first, rows);");
        if (!_steps.IsOrdered)
        {
            writer.Line($"count = {_lookUps[0].Append};");
            return;
        }

        writer.Line($"int before = count, held = {KernelApi.RowBitmap}.Count(s.Bitmap, rows);");
        WriteTurn(writer, "0", lookUp => lookUp.Append);
        writer.Line($"{Order}.Note(0, held, count - before);");
    }

    private void WriteLookUps(CodeWriter writer, int first)
    {
        if (!_steps.IsOrdered)
        {
            foreach (LookUp lookUp in _lookUps.Skip(first))
                writer.Line($"count = {lookUp.Keep};");
            return;
        }

        using (writer.Open($"for (int turn = {first}; turn < {_lookUps.Count}; turn++)"))
        {
            writer.Line("int asked = count;");
            WriteTurn(writer, "turn", lookUp => lookUp.Keep);
            writer.Line($"{Order}.Note(turn, asked, count);");
        }

        writer.Line($"{Order}.Sort();");
    }

    private void WriteTurn(CodeWriter writer, string turn, Func<LookUp, string> call)
    {
        using (writer.Open($"switch ({Order}[{turn}])"))
        {
            for (int i = 0; i < _lookUps.Count; i++)
                writer.Line($"{(i == 0 ? "default" : $"case {i}")}: count = {call(_lookUps[i])}; break;");
        }
    }

    /// <summary>The rows of a batch that the ranges keep. They rely on what the block knew of its columns, so the batch is done again if that has changed.</summary>
    private void WriteRanges(CodeWriter writer)
    {
        string begin = $"{KernelApi.RowBitmap}.Begin(s.Bitmap, validity, first, rows);";
        if (filters.Ranges.Count == 0)
        {
            writer.Line(begin);
            return;
        }

        using (writer.Open("do"))
        {
            writer.Line(begin);
            foreach (RangeFilter filter in filters.Ranges)
            {
                ColumnShape column = filter.Column;
                writer.Line($"{KernelApi.ColumnFilter}.Keep<{ColumnEmitter.StorageType(column)}>({Local(column)}, {Values(column)}, first, rows, s.Bitmap);");
            }
        }

        writer.Line($"while ({string.Join(" | ", filters.Ranges.Select(f => $"{Local(f.Column)}.FallsBack()"))});");
    }

    private void WriteTexts(CodeWriter writer, TextFilter filter, string texts)
    {
        string isMember = filter.IsMember ? "true" : "false";
        writer.Line($"{KernelApi.TextFilter}.Keep({texts}, {isMember}, {Values(filter.Column)}, first, rows, s.Bitmap);");
    }

    /// <summary>The arguments that say where a column's values are.</summary>
    private string Values(ColumnShape column) => $"{SlotPlace.BlockName} + {scope.Layout.Offset(_shape, column)}, {scope.Layout.Stride(_shape, column)}";

    /// <summary>The local of a block's method that holds what the block knows of the column's range.</summary>
    private static string Local(ColumnShape column) => "range" + column.Name;

    /// <summary>The local of a block's method that holds two columns that are compared.</summary>
    private static string Pair(int filter) => "pair" + filter.ToString(System.Globalization.CultureInfo.InvariantCulture);

    private string PairInBlock(PairFilter pair)
    {
        if (pair.Left.SketchOffset < 0 || pair.Right.SketchOffset < 0)
            return $"{KernelApi.ColumnPair}.OfValues({Values(pair.Left)}, {Values(pair.Right)})";
        ColumnEmitter columns = new(scope);
        return $"{KernelApi.ColumnPair}.Of({columns.InBlock(_shape, pair.Left)}, {columns.InZone(_shape, pair.Right)})";
    }

    /// <summary>The local of a block's method that holds the keys that a filter is asked for.</summary>
    private static string Keys(int filter) => "keys" + filter.ToString(System.Globalization.CultureInfo.InvariantCulture);

    private void WritePass(ScalarExpression selection)
    {
        string name = $"Select{suffix}_{_passes.Count}";
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static int {name}(ref State s, ulong {SlotPlace.BlockName}, int count)"))
        {
            RowsAhead ahead = new(scope, _shape, scan.Variable);
            ahead.WriteColumns(method, [selection]);
            ahead.WriteReferenced(method, [selection]);
            Site row = new SearchAhead(scope, _shape, scan.Variable).Write(method, EvaluatedParts.Of(selection), [selection], Site.OfRow(scan.Variable));
            method.Line("ulong kept = s.Selection;");
            using (method.Open(KernelMethods.SelectionLoop))
            {
                method.Line(KernelMethods.SelectedSlot);
                ahead.Write(method, [selection]);
                Site site = ValueLocals.LoadShared(scope, [selection], EvaluatedParts.Of(selection), method, row);
                string condition = new ScalarEmitter(scope, site).Value(selection);
                method.Line($"{KernelApi.KernelMemory}.Write(kept, (uint){SlotPlace.SlotName});");
                method.Line($"kept += {KernelApi.KernelMemory}.ToUInt64({condition}) << 2;");
            }

            method.Line("return (int)((kept - s.Selection) >> 2);");
        }

        scope.AddMethod(method);
        _passes.Add(Call(name));
    }

    private static string Call(string pass) => $"{pass}(ref s, {SlotPlace.BlockName}, count)";

    private LookUp KeepKeys(KeyFilter key, int filter)
    {
        string type = ColumnEmitter.StorageType(_shape.Column(key.Column.Column));
        return LookUp.Of(key.Field, $"Keep<{type}>", $"Append<{type}>", $"Cost<{type}>", Keys(filter));
    }

    private string PrepareTexts(TextFilter filter, string context)
    {
        string field = scope.Field(KernelApi.TextSet, "Texts" + scope.Number());
        foreach (ScalarExpression text in filter.Texts)
            scope.Setup.Line($"{field}.Add({scope.Invariant(text)}, {context}, {scope.Layout.Offset(_shape, filter.Column)}, {filter.Texts.Count}, ref s.Region);");
        return field;
    }

    private string PrepareRange(RangeFilter filter)
    {
        string field = scope.Field(KernelApi.ValueRange, $"Range{filter.Column.Name}_{suffix}");
        List<string> bounds = [.. filter.Bounds.Select(b => scope.Bound(b, filter.Column.Scale))];
        scope.Setup.Line($"{field} = {KernelApi.ValueRange}.All{string.Concat(bounds)};");
        return field;
    }
}
