using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Writes a scan with the conditions directly above it. At the top of the fast variant blocks go through a <see cref="FilterStage"/> and what is left of a batch
/// through a method; elsewhere rows are visited one by one in line.
/// </summary>
internal sealed class ScanEmitter(KernelScope scope)
{
    private readonly string _suffix = scope.Number().ToString(System.Globalization.CultureInfo.InvariantCulture);

    private IReadOnlyList<KeySeek> _seeks = [];
    private ListedSeek? _listedSeek;
    private IReadOnlyList<AlternativesSeek> _alternatives = [];
    private IReadOnlyList<(RangeFilter Filter, string Range)> _ranges = [];
    private IReadOnlyList<RangeSeek> _rangeSeeks = [];

    // With texts of the range that the conditions leave, and of the other conditions.
    private (FirstSeek Seek, string? Range, string? Others)? _first;

    /// <summary>Whether the collection may have an index that restricts the scan.</summary>
    private bool CanSeek => _seeks.Count + _alternatives.Count + _rangeSeeks.Count > 0 || _listedSeek is not null || _first is not null;

    public void Produce(ScanChain chain, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        TabularShape shape = scope.Plan.Shape(chain.Scan.Shape);
        _seeks = KeySeek.Of(chain, shape);
        _alternatives = AlternativesSeek.Of(chain, shape);
        _listedSeek = ListedSeek.TryOf(scope.Plan, chain, shape);
        if (scope.IsPlain || !site.IsTop)
        {
            using (writer.Open(""))
                ProduceRows(chain, writer, site, consumer);
        }
        else
        {
            ProduceBlocks(chain, writer, site, consumer);
        }
    }

    private void ProduceRows(ScanChain chain, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        scope.Physical.Add(chain.Scan, PlanOf(chain.Scan, leavesSection: false, isShared: false));
        WriteBegin(chain.Scan, writer, isRenewable: false);
        SlotPlace place = new("block" + _suffix, "slot" + _suffix);
        using (writer.Open($"while (scan{_suffix}.MoveToRow(out ulong {place.Block}, out ulong {place.Slot}))"))
            WriteRow(scope, chain.Conditions, writer, site.With(site.Bindings.WithRow(chain.Scan.Variable, place)), consumer, isLoop: true);
    }

    /// <summary>Writes what happens to a row: its conditions, then the consumer.</summary>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="conditions">The conditions.</param>
    /// <param name="writer">Where the row is at hand.</param>
    /// <param name="site">What may be read.</param>
    /// <param name="consumer">What gets the row.</param>
    /// <param name="isLoop">Whether nothing follows in a loop over rows: what does not pass the conditions goes on with the next.</param>
    /// <param name="later">What the consumer evaluates, as far as it is known.</param>
    public static void WriteRow(
        KernelScope scope, IReadOnlyList<ScalarExpression> conditions, CodeWriter writer, Site site, ElementConsumer consumer, bool isLoop = false, IEnumerable<ScalarExpression>? later = null)
    {
        if (conditions.Count == 0)
        {
            consumer.Element(writer, site);
            return;
        }

        site = ValueLocals.LoadShared(scope, conditions.Concat(later ?? []), EvaluatedParts.Of(conditions[0]), writer, site);
        string condition = new ScalarEmitter(scope, site).Value(Conjunctions.Join(conditions));
        if (isLoop)
        {
            writer.Line($"if (!({condition}))").Line("    continue;");
            consumer.Element(writer, site);
            return;
        }

        using (writer.Open($"if ({condition})"))
            consumer.Element(writer, site);
    }

    private void ProduceBlocks(ScanChain chain, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        Scan scan = chain.Scan;
        FilterPlan filters = new FilterPlanner(scope).Make(chain.Conditions, scan, allowNavigation: true);
        FilterStage filter = new(scope, scan, filters, scan, _suffix, [.. scope.KeyFilters.Of(scan.Variable)]);
        filter.Prepare($"s.Context{scan.Parameter}");
        filter.WritePasses();
        filter.NoteAsked();
        TabularShape shape = scope.Plan.Shape(scan.Shape);
        _ranges = [.. filter.Ranges];
        _rangeSeeks = RangeSeek.Of(scope, chain, _ranges);
        if (consumer.First is { } first && FirstSeek.MayLeaveRowsOut(chain, filters) && !scope.KeyFilters.Of(scan.Variable).Any())
        {
            string? range = filter.Ranges.Where(range => range.Filter.Column == first.Column).Select(range => range.Range).SingleOrDefault(), others = first.Others(scope, shape, filters, filter.Ranges);
            _first = (first, range, others);
        }

        // Conditions on referenced rows are answered before the scan, by dense id, and a dense id may get another row in another section.
        // How a column holds a text (TextSet) and what was found out about its words are good for the section in which that was asked, too.
        bool canRenew = !site.IsOnce && filters.Navigations.Count == 0 && filters.Texts.Count == 0 && consumer.KeepsOnlyValues && scope.HasOneScan;
        Frame frame = new(site.Frame, "return;");
        int onceCalls = scope.OnceCalls;
        WriteConsume(filters, scan, site with { Frame = frame }, consumer, isFiltered: chain.Conditions.Count > 0 || scope.KeyFilters.Of(scan.Variable).Any());
        WriteBlock(filter, filters.Late.Count == 0 ? consumer.VectorBatch : null, consumer, frame.HasArrivals);
        bool isRenewable = canRenew && !scope.KeepsAnswers;
        // What runs once in the middle of the scan has memory of its own for one thread only.
        ScanParts? parts = scope.OnceCalls == onceCalls ? consumer.Parts : null;
        scope.Physical.Add(scan, PlanOf(scan, isRenewable, isShared: parts is not null));
        if (parts is not null)
        {
            WriteShared(chain, writer, consumer, parts, isRenewable, frame);
        }
        else
        {
            using (writer.Open(""))
                WriteLoop(chain, writer, consumer, isRenewable);
        }

        foreach (PartnerSeek seek in scope.PartnerSeeks.Where(seek => seek.IsFedBy(scan)))
            seek.WriteCheck(writer);
        scope.WriteGaveUp(writer, site);
        frame.WriteArrivals(writer, scope);
    }

    private BlockScan PlanOf(Scan scan, bool leavesSection, bool isShared) => new(
        FilterStage.RowsOf(scope.Plan.Shape(scan.Shape)),
        [.. _seeks.Select(seek => seek.Column)],
        [.. _alternatives.Select(seek => (seek.Column, seek.Values.Count))],
        _listedSeek?.Column,
        [.. _rangeSeeks.Select(seek => seek.Column)],
        _first is var (first, _, others) ? new FirstRows(first.Column, first.IsDescending, HasOthers: others is not null) : null,
        leavesSection,
        isShared);

    private void WriteShared(ScanChain chain, CodeWriter writer, ElementConsumer consumer, ScanParts parts, bool isRenewable, Frame frame)
    {
        Scan scan = chain.Scan;
        ParallelScanEmitter parallel = new(scope, _suffix);
        string[] fewRows = [.. scope.PartnerSeeks.Where(seek => seek.IsFedBy(scan)).Select(seek => seek.IsChosen)];
        // Between blocks the loop of a kernel does what the library's does not: it counts, leaves the section or the loop, goes on with what an index finds next.
        bool isOfLibrary = scope.Analysis is null && !isRenewable && _first is null && !frame.HasArrivals;
        parallel.WriteScan(
            parts, body => body.Line($"Scan{_suffix}(ref s, {SlotPlace.BlockName}, slots, validity{(CanSeek ? ", from" : "")});"),
            isOfLibrary ? [.. SeekCalls(scan)] : [], isOfLibrary ? consumer.BeginSerial : _ => { });
        if (isOfLibrary)
        {
            writer.Line(parallel.Scan((scan.Shape, $"s.P{scan.Parameter}, {scope.Layout.Hash(scope.Plan.Shape(scan.Shape))}, {parts.Bytes}"), fewRows));
            return;
        }

        string blocks = $"s.Context{scan.Parameter}, {parts.Bytes}";
        if (CanSeek)
        {
            // The index is asked first: what it refuses is shared as any other scan.
            using (writer.Open(""))
                WriteTimed(scan, writer, WriteSought);
        }
        else
        {
            using (parallel.OpenSerial(writer, blocks, fewRows))
                WriteLoop(chain, writer, consumer, isRenewable);
        }

        void WriteSought(CodeWriter timed)
        {
            WriteBegin(scan, timed, isRenewable);
            using (parallel.OpenSerial(timed, blocks, fewRows.Prepend($"scan{_suffix}.IsSought")))
            {
                consumer.BeginSerial(timed);
                WriteFound(chain, timed, () => parallel.OpenSerial(timed, blocks, fewRows));
            }
        }
    }

    private void WriteLoop(ScanChain chain, CodeWriter writer, ElementConsumer consumer, bool isRenewable)
    {
        consumer.BeginSerial(writer);
        WriteTimed(chain.Scan, writer, timed =>
        {
            WriteBegin(chain.Scan, timed, isRenewable);
            WriteFound(chain, timed, openSerial: null);
        });
    }

    private void WriteTimed(Scan scan, CodeWriter writer, Action<CodeWriter> loop)
    {
        if (scope.Analysis is { } analysis)
            analysis.WriteTimed(scan, writer, loop);
        else
            loop(writer);
    }

    /// <summary>Writes the loop over the blocks that an index, if there is one, leaves.</summary>
    /// <param name="chain">The scan.</param>
    /// <param name="writer">Where it stands.</param>
    /// <param name="openSerial">Opens the block of a scan that begins again, if threads can share it.</param>
    private void WriteFound(ScanChain chain, CodeWriter writer, Func<CodeWriter.BlockScope>? openSerial)
    {
        if (_first is not var (first, _, _))
        {
            WriteMoves(chain, writer);
            return;
        }

        using (writer.Open("do"))
            WriteMoves(chain, writer);
        writer.Line($"while (!s.GaveUp && scan{_suffix}.MoveToNextRows({first.Taken}));");
        using (writer.Open($"if (!s.GaveUp && scan{_suffix}.MustBeginAgain())"))
        {
            first.Reset(writer);
            using (openSerial?.Invoke() ?? writer.Open(""))
                WriteMoves(chain, writer);
        }
    }

    private void WriteMoves(ScanChain chain, CodeWriter writer)
    {
        using (writer.Open($"while (scan{_suffix}.MoveNext())"))
        {
            // Without conditions the rows are counted as they are passed on.
            if (chain.Conditions.Count > 0)
                scope.Analysis?.WriteCount(chain.Scan, writer, $"scan{_suffix}.{(CanSeek ? "Asked" : "SlotCount")}");
            writer.Line($"Scan{_suffix}(ref s, scan{_suffix}.Block, scan{_suffix}.SlotCount, scan{_suffix}.IsDense ? 0UL : scan{_suffix}.Validity{(CanSeek ? $", scan{_suffix}.FirstSlot" : "")});");
            writer.Line("if (s.Exit != 0 || s.GaveUp)").Line("    break;");
        }
    }

    private void WriteBegin(Scan scan, CodeWriter writer, bool isRenewable)
    {
        string hash = scope.Layout.Hash(scope.Plan.Shape(scan.Shape));
        writer.Line($"using {KernelApi.BlockScanner} scan{_suffix} = {KernelApi.BlockScanner}.Begin<{scan.Shape}>(s.P{scan.Parameter}, {hash}{(isRenewable ? ", " + KernelVariant.Section : "")});");
        foreach (string call in SeekCalls(scan))
            writer.Line($"scan{_suffix}.{call};");
    }

    /// <summary>The calls of the scanner that ask indexes.</summary>
    private IEnumerable<string> SeekCalls(Scan scan)
    {
        TabularShape shape = scope.Plan.Shape(scan.Shape);
        foreach (KeySeek seek in _seeks)
            yield return seek.Call(scope, shape);
        foreach (AlternativesSeek seek in _alternatives)
            yield return seek.Call(scope, shape, _ranges);
        if (_listedSeek is { } listed)
            yield return listed.Call(scope, shape, scope.Invariant(listed.List), _ranges);
        foreach (RangeSeek seek in _rangeSeeks)
            yield return seek.Call(scope, shape);
        if (_first is var (first, range, others))
            yield return first.Call(scope, shape, range, others);
    }

    private void WriteConsume(FilterPlan filters, Scan scan, Site site, ElementConsumer consumer, bool isFiltered)
    {
        IReadOnlyList<ScalarExpression> conditions = filters.Late;
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static void Consume{_suffix}(ref State s, ulong {SlotPlace.BlockName}, int count)"))
        {
            consumer.BeginLoop(method);
            Site row = site.With(site.Bindings.WithRow(scan.Variable, SlotPlace.Current));
            RowsAhead ahead = new(scope, scope.Plan.Shape(scan.Shape), scan.Variable);
            // Where no row is left out, references are read as fast as their codes.
            List<ScalarExpression> declared = conditions.Count > 0 || !isFiltered ? [] : [.. consumer.DeclareReferences(method, row)];
            // Of conditions only the first is asked of every row, if it has not been asked of rows behind references: then nearly all pass.
            bool nearlyAllPass = conditions.Count == (filters.EndPair?.Conditions.Count ?? 0);
            List<ScalarExpression> asked = [.. conditions.Take(1), .. nearlyAllPass ? ahead.OfConsumer() : []];
            ahead.WriteColumns(method, asked.Except(declared));
            row = WriteTexts(method, conditions, asked, ahead, scan, row);
            ahead.WriteReferenced(method, [.. conditions.Take(1), .. nearlyAllPass ? ahead.OfValues() : []]);
            if (conditions.Count == 0)
            {
                consumer.AskAhead(method, row);
                // There is room for one number beside each slot.
                row = row.Bindings.Beside.IsEmpty ? consumer.FindAhead(method, row) : row;
            }

            using (method.Open(KernelMethods.SelectionLoop))
            {
                method.Line(KernelMethods.SelectedSlot);
                ahead.Write(method, conditions.Concat(ahead.OfConsumer()));
                WriteRow(scope, conditions, method, row, consumer, isLoop: true, ahead.OfConsumer());
            }

            site.Frame.WriteEnd(method);
            consumer.EndLoop(method);
        }

        scope.AddMethod(method);
    }

    /// <summary>Texts are searched before the loop, or asked for.</summary>
    private Site WriteTexts(CodeWriter method, IReadOnlyList<ScalarExpression> conditions, List<ScalarExpression> asked, RowsAhead ahead, Scan scan, Site row)
    {
        IEnumerable<ScalarExpression> evaluated = conditions.Count > 0 ? EvaluatedParts.Of(conditions[0]) : ahead.EvaluatedByConsumer();
        Site searched = new SearchAhead(scope, scope.Plan.Shape(scan.Shape), scan.Variable).Write(method, evaluated, conditions.Concat(ahead.OfConsumer()), row);
        if (ReferenceEquals(searched, row))
            ahead.WriteTexts(method, asked);
        return searched;
    }

    private void WriteBlock(FilterStage filter, string? vectorBatch, ElementConsumer consumer, bool mayExit)
    {
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static void Scan{_suffix}(ref State s, ulong {SlotPlace.BlockName}, int slots, ulong validity{(CanSeek ? ", int from" : "")})"))
        {
            filter.WriteZoneTests(method);
            consumer.BeginBlock(method);
            filter.WriteBatches(method, CanSeek ? "from" : "0", vectorBatch, body => body.Line($"Consume{_suffix}(ref s, {SlotPlace.BlockName}, count);"), mayExit);
            CodeWriter end = new();
            consumer.EndBlock(end);
            if (end.ToString().TrimEnd('\n') is { Length: > 0 } text)
                method.Line("if (s.GaveUp)").Line("    return;").Lines(text);
        }

        scope.AddMethod(method);
    }
}
