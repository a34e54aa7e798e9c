using System.Globalization;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <content>What is kept of each aggregate, and how an element is added to it.</content>
internal sealed partial class AggregateEmitter
{
    /// <summary>Whether an aggregate asks for the number of rows; sums and ranks ask only whether there are any, and a group always has some.</summary>
    private bool NeedsRowCount(AggregateCall call) =>
        !CountsItself(call) && (call.Kind != AggregateKind.Sum || !IsGrouped) && !IsRanked(call);

    /// <summary>Whether a minimum or maximum of integers is held in its group as a rank, which needs no test for the first value, nor a jump.</summary>
    private bool IsRanked(AggregateCall call) => IsGrouped && !Scope.IsPlain && call is { Kind: AggregateKind.Min or AggregateKind.Max, Selector: not null }
        && (UnitsOf(call) is not null || AccumulatedType(call) is { Kind: TypeKind.Int32 or TypeKind.Int64, IsNullable: false });

    /// <summary>Whether an aggregate takes only some of the rows.</summary>
    private static bool CountsItself(AggregateCall call) => call.Predicate is not null || call.IsDistinct
        || (call.Selector is { } selector && call.Kind is not (AggregateKind.First or AggregateKind.Fold) && (selector.Type.IsNullable || selector.Type.IsReferenceType));

    private AggregateForm MakeForm(AggregateCall call)
    {
        if (TryScale(call) is { } sum)
            return new AggregateForm(call, _sums.IndexOf(sum), null, null);
        bool isCount = call.Kind is AggregateKind.Count or AggregateKind.LongCount or AggregateKind.Any or AggregateKind.All;
        DistinctValues? distinct = call.IsDistinct ? new DistinctValues(Scope, call.Selector!, IsGrouped, isOnlyCounted: isCount, _region) : null;
        (Accumulator? count, bool isShared) = CountOf(call);
        if (isCount)
            return new AggregateForm(call, null, null, count, Distinct: distinct, SharesCount: isShared);
        int? scale = UnitsOf(call);
        if (IsRanked(call))
            return new AggregateForm(call, null, scale is null && AccumulatedType(call).Kind == TypeKind.Int32 ? New("uint", 4) : New("ulong", 8), count, Distinct: distinct, Units: scale, SharesCount: isShared, IsRanked: true);
        if (scale is { } units)
            return new AggregateForm(call, null, call.Kind is AggregateKind.Min or AggregateKind.Max ? New("long", 8) : New("global::System.Int128", 16), count, Distinct: distinct, Units: units, SharesCount: isShared);
        PlanType type = AccumulatedType(call);
        string? objects = IsGrouped && !ScalarTraits.IsUnmanaged(type) && type is not { Kind: TypeKind.Tabular, IsNullable: false } ? Scope.Objects(type) : null;
        Accumulator value = New(type.Text, SizeOf(type), objects);
        if (IsExactSum(call, value))
            Scope.CanGiveUp = true;
        return new AggregateForm(call, null, value, count, objects, distinct, SharesCount: isShared);
    }

    /// <summary>What counts the values that an aggregate has taken, and whether others count with it: those with the same condition that take all rows which pass.</summary>
    private (Accumulator? Count, bool IsShared) CountOf(AggregateCall call)
    {
        if (!CountsItself(call))
            return (null, false);
        if (!TakesAllThatPass(call) || _aggregate.Aggregates.Count(other => TakesAllThatPass(other) && other.Predicate!.Equals(call.Predicate)) < 2)
            return (New("long", 8), false);
        AggregateForm? first = _forms.Find(f => f.SharesCount && f.Call.Predicate!.Equals(call.Predicate));
        return (first?.Count ?? New("long", 8), true);
    }

    private static bool TakesAllThatPass(AggregateCall call) => call is { Predicate: { } predicate, IsDistinct: false, Kind: not (AggregateKind.All or AggregateKind.Fold or AggregateKind.First) }
        && call.Selector is not { Type: { IsNullable: true } or { IsReferenceType: true } } && Purity.IsPure(predicate);

    /// <summary>The digits after the point of decimals that are taken as 64-bit integers; null for other values, and where their scale is not known.</summary>
    private int? UnitsOf(AggregateCall call) =>
        Scope.MayGiveUp && call is { Kind: AggregateKind.Sum or AggregateKind.Average or AggregateKind.Min or AggregateKind.Max, Selector.Type: { Kind: TypeKind.Decimal, IsNullable: false } }
            ? ScaledExpression.TryBuildOfRow(call.Selector, Scope.Plan, ScaleOf)?.Scale
            : null;

    /// <summary>The scale of a decimal that is computed for the element at hand right before the aggregate takes it, and so is held as an integer (<see cref="ValueLocals.Declare"/>).</summary>
    private int? ScaleOf(ValueVariable variable)
    {
        if (!_around.IsTop)
            return null;
        for (LogicalOperator node = _aggregate.Input; node is Filter or Compute; node = node.Source!)
        {
            if (node is Compute compute && compute.Bindings.FirstOrDefault(binding => binding.Variable == variable.Variable) is { } found)
                return ScaledExpression.TryBuildOfRow(found.Value, Scope.Plan, ScaleOf) is { } scaled and not ScaledConstant ? scaled.Scale : null;
        }

        return null;
    }

    /// <summary>Whether the fast variant sums decimals, and gives up when a sum becomes so large that its order may matter.</summary>
    private bool IsExactSum(AggregateCall call, Accumulator value) => !Scope.IsPlain && value.Type == "decimal" && call.Kind is AggregateKind.Sum or AggregateKind.Average;

    private static PlanType AccumulatedType(AggregateCall call)
    {
        PlanType selected = call.Selector!.Type;
        if (call.Kind is AggregateKind.First or AggregateKind.Fold)
            return selected;
        if (call.Kind is AggregateKind.Min or AggregateKind.Max)
            return selected.IsReferenceType ? selected : selected.AsNonNullable();
        if (ScalarTraits.IsFloating(selected.Kind))
            return PlanType.Double;
        return selected.Kind == TypeKind.Decimal ? PlanType.Decimal : selected.Kind == TypeKind.Int32 && call.Kind == AggregateKind.Sum ? PlanType.Int32 : PlanType.Int64;
    }

    private static int SizeOf(PlanType type)
    {
        int value = type.Kind is TypeKind.Decimal or TypeKind.Guid or TypeKind.Int128 or TypeKind.UInt128 or TypeKind.DateTimeOffset ? 16 : type is { Kind: TypeKind.Int32, IsNullable: false } ? 4 : 8;
        return type.IsNullable ? value + 16 : value;
    }

    /// <summary>Aggregates with one condition, which is tested once.</summary>
    private void WriteUpdates(List<AggregateForm> forms, CodeWriter writer, Site site)
    {
        List<AggregateForm> extremes = forms.FindAll(form => form.Value is not null);
        if (extremes.Count > 0 && extremes.TrueForAll(TakesWithoutBranch))
        {
            string takes = "takes" + Scope.Number();
            writer.Line($"bool {takes} = {new ScalarEmitter(Scope, site).Value(forms[0].Call.Predicate!)};");
            foreach (AggregateForm form in extremes)
                WriteRank(form, new ScalarEmitter(Scope, site).Value(form.Call.Selector!), writer, takes);
            writer.Line(forms[0].Count!.Store($"{forms[0].Count!.Load(Group)} + (long){KernelApi.KernelMemory}.ToUInt64({takes})", Group));
            return;
        }

        using (writer.Open($"if ({new ScalarEmitter(Scope, site).Value(forms[0].Call.Predicate!)})"))
        {
            foreach (AggregateForm form in forms)
                WriteValue(form, writer, site);
            Count(forms[0].Count!, writer);
        }
    }

    /// <summary>Whether a conditional minimum or maximum is brought up to date without a jump: its condition, which cannot raise, is as hard to foretell as which value is less.</summary>
    private bool TakesWithoutBranch(AggregateForm form) => form.IsRanked && !ScalarTraits.CanThrow(form.Call.Predicate!)
        && FilterPlanner.Unwrap(form.Call.Selector!) is ColumnRead { Row: RowVariable row } && _scan?.Scan.Variable == row.Variable;

    private void WriteRank(AggregateForm form, string value, CodeWriter writer, string? takes = null)
    {
        string rank = $"{KernelApi.ExtremeRank}.Of{form.Call.Kind}imum({value})";
        if (takes is not null)
            rank = $"{KernelApi.ExtremeRank}.If({takes}, {rank})";
        writer.Line(form.Value!.Store($"{KernelApi.ExtremeRank}.Greater({form.Value.Load(Group)}, {rank})", Group));
    }

    private void WriteUpdate(AggregateForm form, CodeWriter writer, Site site)
    {
        if (form.Scaled is not null || (form.Value is null && form.Count is null))
            return;
        if (form.Call.Predicate is not { } predicate)
        {
            WriteDistinct(form, writer, site);
            return;
        }

        string test = new ScalarEmitter(Scope, site).Value(predicate);
        using (writer.Open(form.Call.Kind == AggregateKind.All ? $"if (!({test}))" : $"if ({test})"))
            WriteDistinct(form, writer, site);
    }

    private void WriteDistinct(AggregateForm form, CodeWriter writer, Site site)
    {
        if (form.Distinct is not { } distinct)
        {
            WriteValue(form, writer, site);
            return;
        }

        if (distinct.CountsLater)
        {
            distinct.Note(writer, site, _keys!.PlaceOf(Group), Counts(form));
            return;
        }

        using (distinct.Open(writer, site, _keys?.PlaceOf(Group)))
            WriteValue(form, writer, site);
    }

    /// <summary>Text of where groups have the count of an aggregate.</summary>
    private string Counts(AggregateForm form) => $"{Groups}, {form.Count!.Offset.ToString(CultureInfo.InvariantCulture)}";

    private void WriteValue(AggregateForm form, CodeWriter writer, Site site)
    {
        if (form.Value is null)
        {
            CountIn(form, writer);
            if (EndsEarly)
                site.Frame.Leave(writer, _end, Scope);
            return;
        }

        string isFirst = IsFirst(form);
        if (form.Call.Kind == AggregateKind.First)
        {
            using (writer.Open($"if ({isFirst})"))
            {
                writer.Line(form.Value.Store(new ScalarEmitter(Scope, site).Value(form.Call.Selector!), Group));
                CountIn(form, writer);
                if (EndsEarly)
                    site.Frame.Leave(writer, _end, Scope);
            }

            return;
        }

        if (form.Call.Kind == AggregateKind.Fold)
        {
            WriteFold(form, writer, site, isFirst);
            return;
        }

        ScalarEmitter emitter = new(Scope, site);
        if (form.Units is { } scale)
        {
            string name = "value" + Scope.Number();
            writer.Line($"long {name} = {emitter.Units(form.Call.Selector!, scale)};");
            Accumulate(form, name, isFirst, writer);
            return;
        }

        WriteSelected(form, emitter.Value(form.Call.Selector!), writer);
    }

    /// <summary>Adds the value of a selector, if it is not null.</summary>
    private void WriteSelected(AggregateForm form, string value, CodeWriter writer)
    {
        string name = "value" + Scope.Number(), isFirst = IsFirst(form);
        if (!form.Selected.IsNullable && !form.Selected.IsReferenceType)
        {
            writer.Line($"{form.Selected.Text} {name} = {value};");
            Accumulate(form, name, isFirst, writer);
            return;
        }

        using (writer.Open($"if ({value} is {{ }} {name})"))
            Accumulate(form, name, isFirst, writer);
    }

    /// <summary>Whether an aggregate has taken nothing before the element at hand, which the rows of the group count already.</summary>
    private string IsFirst(AggregateForm form) => form.Count is null ? $"{RowCount.Load(Group)} == 1" : $"{form.Count.Load(Group)} == 0";

    private void CountIn(AggregateForm form, CodeWriter writer)
    {
        if (form.Count is not null && !form.SharesCount)
            Count(form.Count, writer);
    }

    private void Count(Accumulator count, CodeWriter writer) => writer.Line(count.Store($"{count.Load(Group)} + 1", Group));

    private void WriteFold(AggregateForm form, CodeWriter writer, Site site, string isFirst)
    {
        string name = "folded" + Scope.Number(), type = form.Selected.Text;
        string current = form.Value!.Load(Group);
        Site inside = site.With(site.Bindings.WithValue(form.Call.Accumulator, new ValuePlace(name, ValueForm.Plain)));
        string next = new ScalarEmitter(Scope, inside).Value(form.Call.Selector!);
        if (form.Call.Seed is { } seed)
        {
            writer.Line($"{type} {name} = {isFirst} ? {new ScalarEmitter(Scope, site).Value(seed)} : {current};");
            writer.Line(form.Value.Store(next, Group));
        }
        else
        {
            using (writer.Open($"if ({isFirst})"))
                writer.Line(form.Value.Store(new ScalarEmitter(Scope, site).Value(form.Call.First!), Group));
            using (writer.Open("else"))
            {
                writer.Line($"{type} {name} = {current};");
                writer.Line(form.Value.Store(next, Group));
            }
        }

        CountIn(form, writer);
    }

    private void Accumulate(AggregateForm form, string value, string isFirst, CodeWriter writer)
    {
        Accumulator target = form.Value!;
        string current = target.Load(Group);
        if (form.IsRanked)
            WriteRank(form, value, writer);
        else if (form.Call.Kind is AggregateKind.Min or AggregateKind.Max)
            writer.Line($"if ({isFirst} || {KernelApi.AggregateResults}.Is{(form.Call.Kind == AggregateKind.Min ? "Less" : "Greater")}({value}, {current}))").Line("    " + target.Store(value, Group));
        else if (form.Units is not null)
            writer.Line(target.Store($"{current} + {value}", Group));
        else if (target.Type is "int" or "long")
            writer.Line(target.Store($"checked({current} + {value})", Group));
        else if (IsExactSum(form.Call, target))
            writer.Line(target.Store($"{KernelApi.DecimalSum}.Add({current}, {value}, ref s.GaveUp)", Group));
        else if (form.Call.Kind == AggregateKind.Average)
            // From the first value on, as LINQ does: zero and a negative zero would be zero.
            writer.Line(target.Store($"{isFirst} ? {value} : {current} + ({target.Type}){value}", Group));
        else
            writer.Line(target.Store($"{current} + ({target.Type}){value}", Group));
        CountIn(form, writer);
    }
}
