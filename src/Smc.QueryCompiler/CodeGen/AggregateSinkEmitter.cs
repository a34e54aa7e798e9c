using System.Globalization;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Groups and aggregates. Sums of integers and scaled decimals run on 64-bit integers, whose overflow a bound per block excludes, and are added up in 128 bits;
/// everything else accumulates in the type and the order in which <c>System.Linq.Enumerable</c> does.
/// </summary>
internal sealed class AggregateSinkEmitter : SinkEmitter
{
    private readonly Aggregate _aggregate;
    private readonly List<ScaledExpression> _sums = [];
    private readonly List<AggregateForm> _forms = [];
    private readonly List<Accumulator> _accumulators = [];
    private readonly GroupKeysEmitter? _keys;
    private readonly bool _countsRows;
    private int _recordBytes;

    public AggregateSinkEmitter(KernelScope scope, Pipeline pipeline, AggregateSink sink)
        : base(scope, pipeline)
    {
        _aggregate = sink.Aggregate;
        if (_aggregate.Keys.Count > 0)
            _keys = new GroupKeysEmitter(scope, pipeline, _aggregate.Keys);
        _recordBytes = FirstSum;
        CollectSums();
        _countsRows = _aggregate.Aggregates.Any(NeedsRowCount);
        RowCount = New("long", _countsRows ? 8 : 0);
        if (!_countsRows)
            _accumulators.Clear();
        foreach (AggregateCall call in _aggregate.Aggregates)
            _forms.Add(MakeForm(call));
    }

    private bool IsGrouped => _keys is not null;

    private int FirstSum => (_keys?.Words ?? 0) * 8;

    /// <summary>The rows of the group.</summary>
    private Accumulator RowCount { get; }

    private string Groups => "s.Groups" + Suffix;

    private bool HasSums => _sums.Count > 0;

    /// <summary>Whether the query ends with the first element that decides it.</summary>
    private bool EndsEarly => !IsGrouped && _forms.Count == 1 && _forms[0].Call.Kind is AggregateKind.Any or AggregateKind.All;

    public string Key(int index) => _keys!.Form(index).Value(GroupCursor.Group);

    public string KeyBits(int index) => _keys!.Form(index).Bits(GroupCursor.Group);

    /// <summary>Text of the loop header over all groups.</summary>
    public string GroupLoop => $"for (int number = 0; number < {Groups}.Count; number++)";

    public string GroupAt => $"ulong {GroupCursor.Group} = {Groups}.At((uint)number);";

    public bool HasGroups => IsGrouped;

    /// <summary>A statement of the loop over groups that asks for the row behind the key of a later group, whose column the loop reads.</summary>
    public string Prefetch(KeyRead key, string offset, string stride) =>
        $"{Groups}.PrefetchRow(number + {KernelApi.GroupRecords}.Ahead, {8 * _keys!.Form(key.Index).FirstWord}, {offset}, {stride});";

    public override bool KeepsOnlyValues =>
        !_aggregate.Keys.Any(k => k.Type.Kind == TypeKind.String) && !_aggregate.Aggregates.Any(a => a.Type.Kind == TypeKind.String);

    public override void Prepare(string? context)
    {
        if (IsGrouped)
        {
            Scope.Field(KernelApi.GroupRecords, "Groups" + Suffix);
            Scope.Setup.Line($"{Groups} = new({(_recordBytes + 7) & ~7});");
            _keys!.Prepare(context, Groups);
        }
        else
        {
            foreach (Accumulator accumulator in AllAccumulators)
                Scope.Field(accumulator.Type, accumulator.Field);
        }

        if (HasSums)
            PrepareSums();
    }

    public override void BeginLoop(CodeWriter writer)
    {
        if (IsGrouped)
            return;
        foreach (Accumulator accumulator in AllAccumulators)
            writer.Line($"{accumulator.Type} {accumulator.Local} = s.{accumulator.Field};");
    }

    public override void EndLoop(CodeWriter writer)
    {
        if (IsGrouped)
            return;
        foreach (Accumulator accumulator in AllAccumulators)
            writer.Line($"s.{accumulator.Field} = {accumulator.Local};");
    }

    public override void Element(CodeWriter writer, Cursor cursor)
    {
        ScalarEmitter emitter = new(Scope, cursor);
        _keys?.Find(writer, emitter);
        ScaledEmitter scaled = new(Scope);
        for (int i = 0; i < _sums.Count; i++)
        {
            string value = scaled.Row(_sums[i], writer);
            Accumulator sum = Sum(i);
            writer.Line(sum.Store($"unchecked({sum.Load} + {value})"));
        }

        if (_countsRows)
            writer.Line(RowCount.Store($"{RowCount.Load} + 1"));
        foreach (AggregateForm form in _forms)
            WriteUpdate(form, writer, emitter);
    }

    public override void BeginBlock(CodeWriter writer)
    {
        if (IsGrouped)
            _keys!.BeginBlock(writer);
        if (!HasSums)
            return;
        using (writer.Open($"if (!IsBounded{Suffix}(ref s, {RowCursor.Block}, slots, out double most, out bool isNarrow))"))
            Scope.GiveUp(writer);
        if (!IsGrouped)
            return;
        using (writer.Open($"if (s.Most{Suffix} + most >= {KernelApi.Magnitude}.Int64Limit)"))
        {
            writer.Line($"s.Wide{Suffix}.Take({Groups}, {FirstSum}, {_sums.Count}, ref s.Region);");
            writer.Line($"s.Most{Suffix} = 0;");
        }
    }

    public override void EndBlock(CodeWriter writer)
    {
        if (!HasSums)
            return;
        if (VectorBatch is not null && IsGrouped)
            writer.Line($"s.Lanes{Suffix}.MoveTo({Groups}, {FirstSum}, {LaneCount});");
        writer.Line("// A writer may have widened a zone map meanwhile: the sums are right only if the bound still holds.");
        string total = IsGrouped ? $"s.Most{Suffix} + mostNow" : "mostNow";
        using (writer.Open($"if (!IsBounded{Suffix}(ref s, {RowCursor.Block}, slots, out double mostNow, out bool isNarrowNow) || isNarrow != isNarrowNow || {total} >= {KernelApi.Magnitude}.Int64Limit)"))
            Scope.GiveUp(writer);
        if (HasCheckedTotals)
            writer.Line($"Account{Suffix}(ref s, {RowCursor.Block}, slots);");
        if (IsGrouped)
        {
            writer.Line($"s.Most{Suffix} += mostNow;");
            return;
        }

        for (int i = 0; i < _sums.Count; i++)
            writer.Line($"s.Total{Suffix}_{i} += s.{Sum(i).Field};").Line($"s.{Sum(i).Field} = 0;");
    }

    /// <summary>Batches of contiguous columns of which many rows pass are summed four rows at a time, with the others masked out.</summary>
    public override string? VectorBatch
    {
        get
        {
            if (Pipeline.Source is not ScanSource || !HasOnlyVectorSums || (IsGrouped && !_keys!.HasDomain))
                return null;
            string condition = IsGrouped ? $"isNarrow && {_keys!.HasIndexes}" : "isNarrow";
            return $"{condition} && SumBatch{Suffix}(ref s, {RowCursor.Block}, first, rows)";
        }
    }

    private bool HasOnlyVectorSums => HasSums && _forms.All(f => f.Value is null && f.Count is null)
        && _sums.SelectMany(s => s.Columns).All(c => c.Column.IsContiguous);

    public override void Finish(CodeWriter writer)
    {
        foreach ((AggregateForm form, int index) in _forms.Select((f, i) => (f, i)))
        {
            if (form.Scaled is null || LimitOf(form) is not { } limit)
                continue;
            writer.Line("// LINQ adds with overflow checks: only totals of which no part can have overflowed are taken as they are.");
            writer.Line($"if (s.Reach{Suffix}_{index} >= {limit} && s.HasNegative{Suffix}_{index})").Line("    s.GaveUp = true;");
        }
    }

    /// <summary>The result of an aggregate, after the pipeline.</summary>
    public string Result(int index)
    {
        AggregateForm form = _forms[index];
        string count = (form.Count ?? RowCount).Final;
        string result = form.Call.Kind switch
        {
            AggregateKind.Count => $"{KernelApi.AggregateResults}.ToInt32({count})",
            AggregateKind.LongCount => count,
            AggregateKind.Any => $"({count} != 0)",
            AggregateKind.All => $"({count} == 0)",
            AggregateKind.Sum => SumResult(form, count),
            AggregateKind.Average => AverageResult(form, count),
            _ => ExtremeResult(form, count),
        };
        return form.Call.Kind is AggregateKind.Any or AggregateKind.All ? result : $"({form.Call.Type.Text})({result})";
    }

    private IEnumerable<Accumulator> AllAccumulators => Enumerable.Range(0, _sums.Count).Select(Sum).Concat(_accumulators);

    private Accumulator Sum(int index) => new("long", 8, IsGrouped ? null : $"a{Suffix}_sum{index}", FirstSum + (index * 8));

    private Accumulator New(string type, int bytes)
    {
        Accumulator accumulator = new(type, bytes, IsGrouped ? null : $"a{Suffix}_{_accumulators.Count}", _recordBytes);
        _recordBytes += (bytes + 7) & ~7;
        _accumulators.Add(accumulator);
        return accumulator;
    }

    private void CollectSums()
    {
        foreach (AggregateCall call in _aggregate.Aggregates)
        {
            if (TryScale(call) is { } sum && !_sums.Contains(sum))
                _sums.Add(sum);
        }

        _recordBytes += _sums.Count * 8;
    }

    private ScaledExpression? TryScale(AggregateCall call)
    {
        if (Scope.IsPlain || Pipeline.Source is not ScanSource || call.Predicate is not null || call.Kind is not (AggregateKind.Sum or AggregateKind.Average))
            return null;
        return call.Selector!.Type.Kind is TypeKind.Int32 or TypeKind.Int64 or TypeKind.Decimal ? ScaledExpression.TryBuild(call.Selector, Scope.Plan) : null;
    }

    /// <summary>Whether an aggregate asks for the number of rows; sums ask only whether there are any, and a group always has some.</summary>
    private bool NeedsRowCount(AggregateCall call) =>
        call.Predicate is null && call.Selector is not { Type.IsNullable: true } && (call.Kind != AggregateKind.Sum || !IsGrouped);

    private AggregateForm MakeForm(AggregateCall call)
    {
        if (TryScale(call) is { } sum)
            return new AggregateForm(call, _sums.IndexOf(sum), null, null);
        bool isCount = call.Selector is null;
        if (isCount)
            return new AggregateForm(call, null, null, call.Predicate is null ? null : New("long", 8));
        bool countsItself = call.Predicate is not null || call.Selector!.Type.IsNullable;
        Accumulator value = New(AccumulatedType(call), SizeOf(call));
        return new AggregateForm(call, null, value, countsItself ? New("long", 8) : null);
    }

    private static string AccumulatedType(AggregateCall call)
    {
        TypeKind kind = call.Selector!.Type.Kind;
        if (call.Kind is AggregateKind.Min or AggregateKind.Max)
            return call.Selector.Type.CSharp;
        if (ScalarTraits.IsFloating(kind))
            return "double";
        return kind == TypeKind.Decimal ? "decimal" : kind == TypeKind.Int32 && call.Kind == AggregateKind.Sum ? "int" : "long";
    }

    private static int SizeOf(AggregateCall call) => call.Selector!.Type.Kind is TypeKind.Decimal or TypeKind.Guid or TypeKind.Int128 or TypeKind.UInt128
        or TypeKind.DateTimeOffset ? 16 : 8;

    private void WriteUpdate(AggregateForm form, CodeWriter writer, ScalarEmitter emitter)
    {
        if (form.Scaled is not null || (form.Value is null && form.Count is null))
            return;
        if (form.Call.Predicate is not { } predicate)
        {
            WriteValue(form, writer, emitter);
            return;
        }

        string test = form.Call.Kind == AggregateKind.All ? $"!({emitter.Value(predicate)})" : emitter.Value(predicate);
        using (writer.Open($"if ({test})"))
            WriteValue(form, writer, emitter);
    }

    private void WriteValue(AggregateForm form, CodeWriter writer, ScalarEmitter emitter)
    {
        if (form.Value is null)
        {
            writer.Line(form.Count!.Store($"{form.Count.Load} + 1"));
            if (EndsEarly)
                writer.Line("s.IsDone = true;").Line("break;");
            return;
        }

        string name = "value" + Scope.Number();
        string value = emitter.Value(form.Call.Selector!);
        if (!form.Selected.IsNullable)
        {
            writer.Line($"var {name} = {value};");
            Accumulate(form, name, writer);
            return;
        }

        using (writer.Open($"if ({value} is {{ }} {name})"))
            Accumulate(form, name, writer);
    }

    private void Accumulate(AggregateForm form, string value, CodeWriter writer)
    {
        Accumulator target = form.Value!;
        string count = (form.Count ?? RowCount).Load;
        string isFirst = form.Count is null ? $"{count} == 1" : $"{count} == 0";
        if (form.Call.Kind is AggregateKind.Min or AggregateKind.Max)
            writer.Line($"if ({isFirst} || {KernelApi.AggregateResults}.Is{(form.Call.Kind == AggregateKind.Min ? "Less" : "Greater")}({value}, {target.Load}))").Line("    " + target.Store(value));
        else if (target.Type is "int" or "long")
            writer.Line(target.Store($"checked({target.Load} + {value})"));
        else
            writer.Line(target.Store($"{target.Load} + ({target.Type}){value}"));
        if (form.Count is not null)
            writer.Line(form.Count.Store($"{form.Count.Load} + 1"));
    }

    private void PrepareSums()
    {
        if (IsGrouped)
        {
            Scope.Field("double", "Most" + Suffix);
            Scope.Field(KernelApi.WideTotals, "Wide" + Suffix);
        }
        else
        {
            for (int i = 0; i < _sums.Count; i++)
                Scope.Field("global::System.Int128", $"Total{Suffix}_{i}");
        }

        foreach ((AggregateForm form, int index) in _forms.Select((f, i) => (f, i)))
        {
            if (form.Scaled is null || LimitOf(form) is null)
                continue;
            Scope.Field("double", $"Reach{Suffix}_{index}");
            Scope.Field("bool", $"HasNegative{Suffix}_{index}");
        }

        WriteBoundMethod();
        if (HasCheckedTotals)
            WriteAccountMethod();
        if (VectorBatch is not null && IsGrouped)
        {
            Scope.Field(KernelApi.LaneSums, "Lanes" + Suffix);
            Scope.Setup.Line($"s.Lanes{Suffix} = {KernelApi.LaneSums}.Create(ref s.Region, {LaneBytes});");
            WriteGroupedVectorMethod();
        }
        else if (VectorBatch is not null)
        {
            WriteVectorMethod();
        }
    }

    /// <summary>Sums, and the number of rows after them where it is asked for.</summary>
    private int LaneCount => _sums.Count + (_countsRows ? 1 : 0);

    private int LaneBytes => ((LaneCount * 8) + 31) & ~31;

    /// <summary>The least total at which C#'s checked addition may overflow; null for decimals, which 64 bits per block cannot take that far.</summary>
    private static string? LimitOf(AggregateForm form) => form.Selected.Kind switch
    {
        TypeKind.Int32 when form.Call.Kind == AggregateKind.Sum => KernelApi.Magnitude + ".Int32Limit",
        TypeKind.Int32 or TypeKind.Int64 => KernelApi.Magnitude + ".Int64Limit",
        _ => null,
    };

    /// <summary>Proves from the zone maps of a block that no sum over its rows, and no part of one, leaves 64 bits or the type that C# computes it in.</summary>
    private void WriteBoundMethod()
    {
        CodeWriter writer = Scope.Methods;
        ScaledEmitter emitter = new(Scope);
        using (writer.Open($"private static bool IsBounded{Suffix}(ref State s, ulong {RowCursor.Block}, int slots, out double most, out bool isNarrow)"))
        {
            List<string> bounds = [.. _sums.Select(sum => emitter.Bound(sum, writer))];
            writer.Line($"most = {bounds.Aggregate((a, b) => $"global::System.Math.Max({a}, {b})")} * slots;");
            List<ScaledExpression> parts = [.. _sums.SelectMany(s => s.Parts).OfType<ScaledOperation>().Distinct()];
            IEnumerable<string> narrow = parts.OfType<ScaledOperation>().Where(o => o.Operator == BinaryOperator.Multiply)
                .SelectMany(o => new[] { o.Left, o.Right }).Where(o => o is not ScaledConstant { Units: < int.MaxValue and > int.MinValue }).Distinct()
                .Select(o => $"{emitter.Bound(o, writer)} < {KernelApi.Magnitude}.Int32Limit");
            writer.Line($"isNarrow = {And(narrow)};");
            IEnumerable<string> limits = parts
                .Select(p => $"{emitter.Bound(p, writer)} < {KernelApi.Magnitude}.{(p.Kind == TypeKind.Int32 ? "Int32Limit" : "Int64Limit")}")
                .Concat([$"most < {KernelApi.Magnitude}.Int64Limit"]);
            writer.Line($"return {And(limits)};");
        }

        writer.Line();
    }

    /// <summary>Whether C# adds some of the sums with overflow checks, so that how far their parts can have reached is kept.</summary>
    private bool HasCheckedTotals => _forms.Any(f => f.Scaled is not null && LimitOf(f) is not null);

    private void WriteAccountMethod()
    {
        CodeWriter writer = Scope.Methods;
        using (writer.Open($"private static void Account{Suffix}(ref State s, ulong {RowCursor.Block}, int slots)"))
        {
            ScaledEmitter emitter = new(Scope);
            foreach ((AggregateForm form, int index) in _forms.Select((f, i) => (f, i)))
            {
                if (form.Scaled is not { } scaled || LimitOf(form) is null)
                    continue;
                writer.Line($"s.Reach{Suffix}_{index} += {emitter.Bound(_sums[scaled], writer)} * slots;");
                writer.Line($"s.HasNegative{Suffix}_{index} |= !({emitter.IsNeverNegative(_sums[scaled])});");
            }
        }

        writer.Line();
    }

    private static string And(IEnumerable<string> tests)
    {
        List<string> all = [.. tests.Distinct()];
        return all.Count == 0 ? "true" : string.Join(" && ", all);
    }

    /// <summary>A batch of which few rows are left is selected row by row; one without any is done.</summary>
    private static void WriteFewTest(CodeWriter writer)
    {
        writer.Line($"int left = {KernelApi.RowBitmap}.Count(s.Bitmap, rows);");
        writer.Line("if (left < rows / 4)").Line("    return left == 0;");
    }

    private void WriteVectorMethod()
    {
        CodeWriter writer = Scope.Methods;
        KernelMethods.Header(writer);
        using (writer.Open($"private static bool SumBatch{Suffix}(ref State s, ulong {RowCursor.Block}, int first, int rows)"))
        {
            WriteFewTest(writer);
            ScaledEmitter emitter = new(Scope);
            emitter.DeclareVectors(_sums, writer);
            for (int i = 0; i < _sums.Count; i++)
                writer.Line($"global::System.Runtime.Intrinsics.Vector256<long> sum{i} = default;");
            using (writer.Open("for (ulong i = 0; i < (ulong)rows; i += 4)"))
            {
                writer.Line($"global::System.Runtime.Intrinsics.Vector256<long> mask = {KernelApi.KernelMemory}.LaneMask(s.Bitmap, i);");
                for (int i = 0; i < _sums.Count; i++)
                    writer.Line($"sum{i} += {emitter.Vector(_sums[i], writer)} & mask;");
            }

            for (int i = 0; i < _sums.Count; i++)
                writer.Line($"s.{Sum(i).Field} += global::System.Runtime.Intrinsics.Vector256.Sum(sum{i});");
            if (_countsRows)
                writer.Line($"s.{RowCount.Field} += left;");
            writer.Line("return true;");
        }

        writer.Line();
    }

    private void WriteGroupedVectorMethod()
    {
        CodeWriter writer = Scope.Methods;
        KernelMethods.Header(writer);
        using (writer.Open($"private static bool SumBatch{Suffix}(ref State s, ulong {RowCursor.Block}, int first, int rows)"))
        {
            WriteFewTest(writer);
            _keys!.WriteOffsets(writer, LaneBytes);
            ScaledEmitter emitter = new(Scope);
            emitter.DeclareVectors(_sums, writer);
            writer.Line("global::System.Runtime.Intrinsics.Vector256<long> one = global::System.Runtime.Intrinsics.Vector256.Create(1L), none = default;");
            writer.Line($"ulong lanes0 = s.Lanes{Suffix}.Address, lanes1 = lanes0 + s.Lanes{Suffix}.CopyBytes, lanes2 = lanes1 + s.Lanes{Suffix}.CopyBytes, lanes3 = lanes2 + s.Lanes{Suffix}.CopyBytes;");
            using (writer.Open($"for (ulong i = 0, offsets = s.Offsets{Suffix}; i < (ulong)rows; i += 4, offsets += 8)"))
            {
                List<string> values = [.. _sums.Select(sum => emitter.Vector(sum, writer))];
                if (_countsRows)
                    values.Add("one");
                for (int row = 0; row < 4; row++)
                    writer.Line($"ulong row{row} = lanes{row} + {KernelApi.KernelMemory}.Read<ushort>(offsets{(row == 0 ? "" : " + " + (row * 2))});");
                for (int lane = 0; lane < values.Count; lane += 4)
                    WriteLanes(writer, values, lane);
            }

            writer.Line("return true;");
        }

        writer.Line();
    }

    private static void WriteLanes(CodeWriter writer, List<string> values, int lane)
    {
        string offset = lane == 0 ? "" : " + " + (lane * 8).ToString(CultureInfo.InvariantCulture);
        string rows = string.Join(", ", Enumerable.Range(0, 4).Select(row => $"row{row}{offset}"));
        int count = Math.Min(4, values.Count - lane);
        List<string> lanes = values.GetRange(lane, count);
        while (lanes.Count is 1 or 3)
            lanes.Add("none");
        writer.Line($"{KernelApi.LaneSums}.Add({rows}, {string.Join(", ", lanes)});");
    }

    private string Total(AggregateForm form) => IsGrouped
        ? $"s.Wide{Suffix}.Total({Groups}, {GroupCursor.Group}, {FirstSum}, {_sums.Count}, {form.Scaled})"
        : $"s.Total{Suffix}_{form.Scaled}";

    private string SumResult(AggregateForm form, string count)
    {
        if (form.Scaled is { } scaled)
        {
            return form.Selected.Kind switch
            {
                TypeKind.Decimal => $"{(IsGrouped ? "" : count + " == 0 ? 0m : ")}{KernelApi.ScaledTotal}.ToDecimal({Total(form)}, {_sums[scaled].Scale})",
                TypeKind.Int32 => $"{KernelApi.AggregateResults}.ToInt32({Total(form)})",
                _ => $"{KernelApi.AggregateResults}.ToInt64({Total(form)})",
            };
        }

        return form.Selected.Kind == TypeKind.Single ? $"(float){form.Value!.Final}" : form.Value!.Final;
    }

    private string AverageResult(AggregateForm form, string count)
    {
        string sum = form.Scaled switch
        {
            { } scaled when form.Selected.Kind == TypeKind.Decimal => $"{KernelApi.ScaledTotal}.ToDecimal({Total(form)}, {_sums[scaled].Scale})",
            { } => $"(double){KernelApi.AggregateResults}.ToInt64({Total(form)})",
            null => form.Selected.Kind == TypeKind.Decimal ? form.Value!.Final : $"(double){form.Value!.Final}",
        };
        return WhenEmpty(form, count, $"({(form.Selected.Kind == TypeKind.Single ? "float" : form.Selected.Kind == TypeKind.Decimal ? "decimal" : "double")})({sum} / {count})");
    }

    private string ExtremeResult(AggregateForm form, string count) => WhenEmpty(form, count, form.Value!.Final);

    /// <summary>No values: null for nullable ones, else what LINQ raises.</summary>
    private string WhenEmpty(AggregateForm form, string count, string result) => form.Selected.IsNullable
        ? $"{count} == 0 ? default({form.Call.Type.Text}) : ({form.Call.Type.Text})({result})"
        : $"{count} == 0 ? throw {KernelApi.AggregateResults}.NoElements() : {result}";
}
