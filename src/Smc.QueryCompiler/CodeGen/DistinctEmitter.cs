using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Passes the first element of each combination of keys: keys go into a table of groups, and an element whose group is new passes. Where several threads
/// may find elements, the first ones are kept until all threads are done.
/// </summary>
internal sealed class DistinctEmitter
{
    private readonly KernelScope _scope;
    private readonly Distinct _distinct;
    private readonly string _groups;
    private readonly string _suffix;
    private readonly ScanChain? _rows;
    private readonly GroupKeysEmitter _keys;

    public DistinctEmitter(KernelScope scope, Distinct distinct, Site site)
    {
        _scope = scope;
        _distinct = distinct;
        _suffix = scope.Number().ToString(System.Globalization.CultureInfo.InvariantCulture);
        _groups = scope.Field(KernelApi.GroupRecords, "Seen" + _suffix);
        // Rows that a scanned row refers to are told apart by their dense ids.
        ColumnRead? column = distinct.Keys.Count == 1 ? ColumnOf(distinct.Keys[0]) : null;
        _rows = column is { Row: RowVariable, Type.Kind: TypeKind.Tabular } && !scope.IsPlain && site.IsTop ? Scanned : null;
        _keys = new GroupKeysEmitter(scope, distinct.Keys, _rows, _groups, _suffix, site.Region, _rows is null ? [] : [_rows.Scan], _rows is null ? null : [column]);
    }

    public void Produce(CodeWriter writer, Site site, ElementConsumer consumer)
    {
        _scope.Physical.Add(_distinct, new FirstOfKeys(_keys.Search));
        _keys.Prepare(_rows is null ? null : $"s.Context{_rows.Scan.Parameter}");
        if (IsKept(site, consumer))
        {
            ProduceKept(writer, site, consumer);
            return;
        }

        Begin(writer);
        _keys.BeginSerial(writer);
        new OperatorEmitter(_scope).Produce(_distinct.Input, writer, site, new StepConsumer(consumer, (body, at, next) => WriteTest(body, at, () => next.Element(body, at)), remembers: true, _keys.AskAhead));
    }

    /// <summary>Whether elements come from a scan that threads share, and nothing above ends the query early.</summary>
    private bool IsKept(Site site, ElementConsumer consumer) => !_scope.IsPlain && site.IsTop && _keys.CanMerge && consumer.Parts is not null
        && Scanned is not null && ElementRecord.CanKeep(_distinct.Input, PlanReads.Above(_distinct, _scope.Reads));

    /// <summary>The scan that elements come from, if nothing but values is between.</summary>
    private ScanChain? Scanned => ScanChain.TryOf(_distinct.Input is Compute compute ? compute.Input : _distinct.Input);

    /// <summary>The column that a key is, or that the variable holds which it is.</summary>
    private ColumnRead? ColumnOf(ScalarExpression key) => key switch
    {
        ColumnRead read => read,
        ValueVariable value when _distinct.Input is Compute compute => compute.Bindings.FirstOrDefault(b => b.Variable == value.Variable)?.Value as ColumnRead,
        _ => null,
    };

    private void ProduceKept(CodeWriter writer, Site site, ElementConsumer consumer)
    {
        SpoolEmitter spool = new(_scope, _distinct, _distinct.Input, site.Region);
        Begin(writer);
        spool.Begin(writer);
        ScanParts parts = new(
            part =>
            {
                WriteNothing(part);
                _keys.BeginPart(part);
                spool.Begin(part);
            },
            part => WriteMerge(part, spool),
            _keys.PartBytes,
            _keys.BeginBlock);
        new OperatorEmitter(_scope).Produce(_distinct.Input, writer, site, new EndConsumer((body, at) => WriteTest(body, at, () => spool.Add(body, at)), parts, _keys.BeginSerial, ask: _keys.AskAhead));
        spool.Produce(writer, site, consumer);
    }

    private void Begin(CodeWriter writer)
    {
        WriteNothing(writer);
        _keys.Begin(writer);
    }

    private void WriteNothing(CodeWriter writer) => writer.Line($"{_groups} = new({_keys.Words * 8});");

    private void WriteTest(CodeWriter writer, Site site, Action pass)
    {
        writer.Line($"int seen{_suffix} = {_groups}.Count;");
        _keys.Find(writer, site, "group" + _suffix);
        using (writer.Open($"if ({_groups}.Count != seen{_suffix})"))
            pass();
    }

    private void WriteMerge(CodeWriter writer, SpoolEmitter spool)
    {
        if (_keys.TakesIndexes is { } takesIndexes)
            writer.Line($"bool takesIndexes = {takesIndexes};");
        using (writer.Open($"for (int number = 0; number < {ScanParts.Of(_groups)}.Count; number++)"))
        {
            if (_keys.TakesIndexes is not null)
            {
                using (writer.Open($"if (takesIndexes && {_keys.Takes})"))
                {
                    spool.MergeElement(writer, "number");
                    writer.Line("continue;");
                }
            }

            writer.Line($"int seen = {_groups}.Count;");
            writer.Line($"ulong added = {ScanParts.Of(_groups)}.At((uint)number);");
            _keys.FindPart(writer, "added", "group");
            using (writer.Open($"if ({_groups}.Count != seen)"))
                spool.MergeElement(writer, "number");
        }
    }
}
