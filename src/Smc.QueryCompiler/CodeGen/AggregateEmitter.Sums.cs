using System.Globalization;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <content>Sums of integers and scaled decimals over a scan: 64-bit integers, bounded for each block by its zone maps.</content>
internal sealed partial class AggregateEmitter
{
    /// <summary><c>LaneSums.MaxLaneBytes</c>: with more sums groups are added to row by row.</summary>
    internal const int MaxLaneBytes = 1024;

    public override void BeginBlock(CodeWriter writer)
    {
        if (_scan is null)
            return;
        if (!HasSums)
            return;
        using (writer.Open($"if (!IsBounded{Suffix}(ref s, {SlotPlace.BlockName}, slots, out double most, out bool isNarrow))"))
            Scope.GiveUp(writer);
        if (!IsGrouped)
            return;
        using (writer.Open($"if (s.Most{Suffix} + most >= {KernelApi.Magnitude}.Int64Limit)"))
        {
            writer.Line($"s.Wide{Suffix}.Take({Groups}, {FirstSum}, {_sums.Count}, ref {_region});");
            writer.Line($"s.Most{Suffix} = 0;");
        }
    }

    public override void EndBlock(CodeWriter writer)
    {
        if (!HasSums)
            return;
        if (VectorBatch is not null && IsGrouped)
            writer.Line($"s.Lanes{Suffix}.MoveTo({Groups}, {FirstSum}, {LaneCount});");
        writer.Line("// A writer may have widened a zone map meanwhile: then the sums do not count.");
        writer.Line($"{KernelApi.KernelMemory}.OrderLoads();");
        string total = IsGrouped ? $"s.Most{Suffix} + mostNow" : "mostNow";
        using (writer.Open($"if (!IsBounded{Suffix}(ref s, {SlotPlace.BlockName}, slots, out double mostNow, out bool isNarrowNow) || isNarrow != isNarrowNow || {total} >= {KernelApi.Magnitude}.Int64Limit)"))
            Scope.GiveUp(writer);
        if (HasCheckedTotals)
            writer.Line($"Account{Suffix}(ref s, {SlotPlace.BlockName}, slots);");
        if (MayLoseScale)
            writer.Line($"s.LosesScale{Suffix} |= !isNarrow && MayLoseScale{Suffix}({SlotPlace.BlockName});");
        if (IsGrouped)
        {
            writer.Line($"s.Most{Suffix} += mostNow;");
            return;
        }

        for (int i = 0; i < _sums.Count; i++)
            writer.Line($"s.Total{Suffix}_{i} += s.{_sumAccumulators[i].Field};").Line($"s.{_sumAccumulators[i].Field} = 0;");
    }

    /// <summary>Batches of contiguous columns of which many rows pass are summed four rows at a time, with the others masked out.</summary>
    public override string? VectorBatch
    {
        get
        {
            if (_scan is null || _rows is not null || !HasOnlyVectorSums || (IsGrouped && (!_keys!.HasContiguousDomain || LaneBytes > MaxLaneBytes)))
                return null;
            string condition = IsGrouped ? $"isNarrow && {_keys!.HasIndexes}" : "isNarrow";
            return $"{condition} && SumBatch{Suffix}(ref s, {SlotPlace.BlockName}, first, rows)";
        }
    }

    /// <summary>Whether sums are all that is asked for, and none adds up a value that tells the group, too: whole columns are loaded for the one and for the other.</summary>
    private bool HasOnlyVectorSums => HasSums && _forms.All(f => f.Value is null && f.Count is null)
        && _sums.SelectMany(s => s.Columns).All(c => c.Column.IsContiguous && !_aggregate.Keys.Any(key => PlacedReads.Share(key, c.Read)));

    private void CollectSums()
    {
        foreach (AggregateCall call in _aggregate.Aggregates)
        {
            if (TryScale(call) is { } sum && !_sums.Contains(sum))
            {
                _sumAccumulators.Add(new Accumulator("long", 8, IsGrouped ? null : $"a{Suffix}_sum{_sums.Count}", FirstSum + (_sums.Count * 8), null));
                _sums.Add(sum);
            }
        }

        _recordBytes += _sums.Count * 8;
    }

    private ScaledExpression? TryScale(AggregateCall call)
    {
        if (_scan is null || call.Predicate is not null || call.IsDistinct || call.Kind is not (AggregateKind.Sum or AggregateKind.Average))
            return null;
        return call.Selector!.Type.Kind is TypeKind.Int32 or TypeKind.Int64 or TypeKind.Decimal ? ScaledExpression.TryBuild(call.Selector, Scope.Plan) : null;
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
        if (MayLoseScale)
        {
            Scope.Field("bool", "LosesScale" + Suffix);
            WriteMayLoseScaleMethod();
        }

        if (VectorBatch is not null && IsGrouped)
        {
            Scope.Field(KernelApi.LaneSums, "Lanes" + Suffix);
            WriteLanes(Scope.Setup);
            WriteGroupedVectorMethod();
        }
        else if (VectorBatch is not null)
        {
            WriteVectorMethod();
        }
    }

    private void WriteLanes(CodeWriter writer) => writer.Line($"s.Lanes{Suffix} = {KernelApi.LaneSums}.Create(ref s.Region, {LaneBytes});");

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
        using (writer.Open($"private static bool IsBounded{Suffix}(ref State s, ulong {SlotPlace.BlockName}, int slots, out double most, out bool isNarrow)"))
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
        using (writer.Open($"private static void Account{Suffix}(ref State s, ulong {SlotPlace.BlockName}, int slots)"))
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

    /// <summary>Whether there are products that decimals may make a zero without digits after the point of.</summary>
    private bool MayLoseScale => SumsThatMayLoseScale.Any();

    private IEnumerable<int> SumsThatMayLoseScale => Enumerable.Range(0, _sums.Count).Where(sum => _sums[sum].ProductsThatMayLoseScale.Any());

    /// <summary>Writes the method that says whether a row of a block may have such a product.</summary>
    private void WriteMayLoseScaleMethod()
    {
        CodeWriter writer = Scope.Methods;
        using (writer.Open($"private static bool MayLoseScale{Suffix}(ulong {SlotPlace.BlockName})"))
        {
            ScaledEmitter emitter = new(Scope);
            List<string> tests = [.. _sums.SelectMany(sum => sum.ProductsThatMayLoseScale).Distinct()
                .Select(product => $"{KernelApi.UnitsRange}.ProductMayLoseScale({emitter.Range(product.Left, writer)}, {emitter.Range(product.Right, writer)})")];
            writer.Line($"return {string.Join(" || ", tests)};");
        }

        writer.Line();
    }

    /// <summary>Whether there may be a total without the digits after the point that such products did not have, as text: one of zero, where nothing is added to the products.</summary>
    private string LosesScale()
    {
        string flag = "s.LosesScale" + Suffix;
        if (SumsThatMayLoseScale.Any(sum => !_sums[sum].IsZeroWhereScaleIsLost))
            return flag;
        List<string> zeros = [.. SumsThatMayLoseScale.Select(sum => IsGrouped
            ? $"s.Wide{Suffix}.HasZero({Groups}, {FirstSum}, {_sums.Count}, {sum})"
            : $"s.Total{Suffix}_{sum} == 0")];
        return zeros.Count == 1 ? $"{flag} && {zeros[0]}" : $"{flag} && ({string.Join(" || ", zeros)})";
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
        using (writer.Open($"private static bool SumBatch{Suffix}(ref State s, ulong {SlotPlace.BlockName}, int first, int rows)"))
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
                writer.Line($"s.{_sumAccumulators[i].Field} += global::System.Runtime.Intrinsics.Vector256.Sum(sum{i});");
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
        using (writer.Open($"private static bool SumBatch{Suffix}(ref State s, ulong {SlotPlace.BlockName}, int first, int rows)"))
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

    private string Total(AggregateForm form, string group) => IsGrouped
        ? $"s.Wide{Suffix}.Total({Groups}, {group}, {FirstSum}, {_sums.Count}, {form.Scaled})"
        : $"s.Total{Suffix}_{form.Scaled}";
}
