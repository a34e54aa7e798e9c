using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Passes the first element of each combination of keys: keys go into a table of groups, and an element whose group is new passes.</summary>
internal sealed class DistinctEmitter
{
    private readonly KernelScope _scope;
    private readonly Distinct _distinct;
    private readonly string _groups;
    private readonly string _suffix;
    private readonly GroupKeysEmitter _keys;

    public DistinctEmitter(KernelScope scope, Distinct distinct, Site site)
    {
        _scope = scope;
        _distinct = distinct;
        _suffix = scope.Number().ToString(System.Globalization.CultureInfo.InvariantCulture);
        _groups = scope.Field(KernelApi.GroupRecords, "Seen" + _suffix);
        _keys = new GroupKeysEmitter(scope, distinct.Keys, isScan: false, _groups, _suffix, site.Region);
    }

    public void Produce(CodeWriter writer, Site site, ElementConsumer consumer)
    {
        _keys.Prepare(null);
        writer.Line($"{_groups} = new({_keys.Words * 8});");
        _keys.Begin(writer);
        new OperatorEmitter(_scope).Produce(_distinct.Input, writer, site, new StepConsumer(consumer, (body, at, next) =>
        {
            body.Line($"int seen{_suffix} = {_groups}.Count;");
            _keys.Find(body, at, "group" + _suffix);
            using (body.Open($"if ({_groups}.Count != seen{_suffix})"))
                next.Element(body, at);
        }, remembers: true));
    }
}
