using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <content>The results, after all elements.</content>
internal sealed partial class AggregateEmitter
{
    /// <summary>The result of an aggregate, after all rows.</summary>
    public string Result(int index, string group)
    {
        AggregateForm form = _forms[index];
        string count = Final(form.Count ?? RowCount, group);
        string result = form.Call.Kind switch
        {
            AggregateKind.Count => $"{KernelApi.AggregateResults}.ToInt32({count})",
            AggregateKind.LongCount => count,
            AggregateKind.Any => $"({count} != 0)",
            AggregateKind.All => $"({count} == 0)",
            AggregateKind.Sum => SumResult(form, count, group),
            AggregateKind.Average => AverageResult(form, count, group),
            AggregateKind.First => Final(form.Value!, group),
            AggregateKind.Fold => FoldResult(form, count, group),
            _ => ExtremeResult(form, count, group),
        };
        bool isExact = form.Call.Kind is AggregateKind.Any or AggregateKind.All or AggregateKind.First || form.Call.Type.CSharp.Length == 0;
        return isExact ? result : $"(({form.Call.Type.Text})({result}))";
    }

    /// <inheritdoc cref="GroupPlace.NarrowSum"/>
    public (string IsNarrow, string Units, int Scale)? NarrowSum(int index, string group) =>
        IsGrouped && _forms[index] is { Scaled: { } scaled, Call.Kind: AggregateKind.Sum, Selected.Kind: TypeKind.Decimal }
            ? ($"s.Wide{Suffix}.IsEmpty", _sumAccumulators[scaled].Load(group), _sums[scaled].Scale)
            : null;

    private static string Final(Accumulator accumulator, string group) => accumulator.Local is null ? accumulator.Load(group) : "s." + accumulator.Field;

    private string SumResult(AggregateForm form, string count, string group)
    {
        if (form.Scaled is { } scaled)
        {
            return form.Selected.Kind switch
            {
                TypeKind.Decimal => $"{(IsGrouped ? "" : count + " == 0 ? 0m : ")}{KernelApi.ScaledTotal}.ToDecimal({Total(form, group)}, {_sums[scaled].Scale})",
                TypeKind.Int32 => $"{KernelApi.AggregateResults}.ToInt32({Total(form, group)})",
                _ => $"{KernelApi.AggregateResults}.ToInt64({Total(form, group)})",
            };
        }

        if (form.Units is not null)
            return form.Count is null && IsGrouped ? Taken(form, group) : $"{count} == 0 ? 0m : {Taken(form, group)}";
        return form.Selected.Kind == TypeKind.Single ? $"(float){Final(form.Value!, group)}" : Final(form.Value!, group);
    }

    /// <summary>What an aggregate has taken, of the type of its values.</summary>
    private static string Taken(AggregateForm form, string group)
    {
        string value = Final(form.Value!, group);
        if (form.IsRanked)
            value = $"{KernelApi.ExtremeRank}.{form.Call.Kind}imum({value})";
        return (form.Units, form.Call.Kind) switch
        {
            (null, _) => value,
            (int scale, AggregateKind.Min or AggregateKind.Max) => $"{KernelApi.ColumnValue}.Decimal({value}, {scale})",
            (int scale, _) => $"{KernelApi.ScaledTotal}.ToDecimal({value}, {scale})",
        };
    }

    private string AverageResult(AggregateForm form, string count, string group)
    {
        string sum = form.Scaled switch
        {
            { } scaled when form.Selected.Kind == TypeKind.Decimal => $"{KernelApi.ScaledTotal}.ToDecimal({Total(form, group)}, {_sums[scaled].Scale})",
            { } => $"(double){KernelApi.AggregateResults}.ToInt64({Total(form, group)})",
            null => form.Selected.Kind == TypeKind.Decimal ? Taken(form, group) : $"(double){Final(form.Value!, group)}",
        };
        return WhenEmpty(form, count, $"({(form.Selected.Kind == TypeKind.Single ? "float" : form.Selected.Kind == TypeKind.Decimal ? "decimal" : "double")})({sum} / {count})");
    }

    private string ExtremeResult(AggregateForm form, string count, string group) =>
        form is { IsRanked: true, Count: null } ? Taken(form, group) : WhenEmpty(form, count, Taken(form, group));

    private string FoldResult(AggregateForm form, string count, string group)
    {
        if (IsGrouped && form.Count is null)
            return Final(form.Value!, group);
        string seed = form.Call.Seed is { } value ? new ScalarEmitter(Scope, _around).Value(value) : $"throw {KernelApi.AggregateResults}.NoElements()";
        return $"{count} == 0 ? {seed} : {Final(form.Value!, group)}";
    }

    /// <summary>No values: null for what can be null, else what LINQ raises.</summary>
    private string WhenEmpty(AggregateForm form, string count, string result) => form.Call.Type.IsNullable || form.Selected.IsReferenceType
        ? $"{count} == 0 ? default({form.Call.Type.Text}) : ({form.Call.Type.Text})({result})"
        : $"{count} == 0 ? throw {KernelApi.AggregateResults}.NoElements() : {result}";
}
