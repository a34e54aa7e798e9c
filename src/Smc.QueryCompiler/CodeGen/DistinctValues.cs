using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>The values that an aggregate over distinct values has taken, with the number of their group.</summary>
internal sealed class DistinctValues
{
    private const int NumberVariable = int.MinValue;

    private readonly string _seen;
    private readonly string _suffix;
    private readonly GroupKeysEmitter _keys;

    public DistinctValues(KernelScope scope, ScalarExpression value, bool isGrouped, string region)
    {
        _suffix = scope.Number().ToString(System.Globalization.CultureInfo.InvariantCulture);
        _seen = scope.Field(KernelApi.GroupRecords, "Seen" + _suffix);
        ScalarExpression[] keys = isGrouped ? [new ValueVariable(PlanType.Int32, NumberVariable, "group"), value] : [value];
        _keys = new GroupKeysEmitter(scope, keys, scan: null, _seen, _suffix, region, scans: []);
        _keys.Prepare(null);
    }

    /// <summary>Writes what precedes the first value.</summary>
    public void Begin(CodeWriter writer)
    {
        writer.Line($"{_seen} = new({_keys.Words * 8});");
        _keys.Begin(writer);
    }

    /// <summary>Opens a block for a value that is new.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="site">Where the value is.</param>
    /// <param name="group">The number of the group, or null.</param>
    public CodeWriter.BlockScope Open(CodeWriter writer, Site site, string? group)
    {
        if (group is not null)
            site = site.With(site.Bindings.WithValue(NumberVariable, new ValuePlace(group, ValueForm.Plain)));
        writer.Line($"int seen{_suffix} = {_seen}.Count;");
        _keys.Find(writer, site, "value" + _suffix);
        return writer.Open($"if ({_seen}.Count != seen{_suffix})");
    }
}
