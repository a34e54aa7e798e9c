using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Keeps elements in a list in a region.</summary>
internal sealed class SpoolEmitter
{
    private readonly KernelScope _scope;
    private readonly LogicalOperator _input;
    private readonly ElementRecord _record;
    private readonly string _type;
    private readonly string _region;

    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="node">The operator that keeps them; what is read above it is kept.</param>
    /// <param name="input">The operator whose elements are kept.</param>
    /// <param name="region">The region.</param>
    public SpoolEmitter(KernelScope scope, LogicalOperator node, LogicalOperator input, string region)
        : this(scope, input, PlanReads.Above(node, scope.Reads), region)
    {
    }

    public SpoolEmitter(KernelScope scope, LogicalOperator input, IEnumerable<(PlanRead Read, ScalarExpression? Expression)> reads, string region)
    {
        _scope = scope;
        _input = input;
        _region = region;
        int number = scope.Number();
        _record = new ElementRecord(scope, input, reads, region);
        _type = scope.Records.Declare("Element", contract: null, _record.Declare);
        List = scope.Field($"{KernelApi.RegionList}<{_type}>", "Elements" + number);
        Local = "element" + number;
    }

    /// <summary>The list.</summary>
    public string List { get; }

    /// <summary>What loops call a record.</summary>
    public string Local { get; }

    /// <summary>Writes what precedes the first element.</summary>
    public void Begin(CodeWriter writer)
    {
        writer.Line($"{List} = default;");
        _record.Begin(writer);
    }

    /// <summary>Writes the statements that collect the elements.</summary>
    public void Collect(CodeWriter writer, Site site)
    {
        Begin(writer);
        new OperatorEmitter(_scope).Produce(_input, writer, site, new EndConsumer(Add, Parts));
    }

    /// <summary>Elements of later parts of a scan follow those of earlier ones.</summary>
    public ScanParts Parts => new(Begin, writer => _record.WriteMerge(writer, List, 0, _type));

    /// <summary>Writes the statements that add an element of a part of a scan.</summary>
    public void MergeElement(CodeWriter writer, string index) => _record.WriteMerge(writer, List, index, _type);

    /// <summary>Writes the statements that add the element at hand.</summary>
    public void Add(CodeWriter writer, Site site)
    {
        writer.Line($"{_type} {Local} = default;");
        _record.Fill(writer, site, Local);
        writer.Line($"{List}.Add(ref {_region}, {Local});");
    }

    /// <summary>What was kept.</summary>
    public KeptElements Elements => KeptElements.InList(List, _type, Local, _record);

    /// <summary>Writes the elements in their order.</summary>
    public void Produce(CodeWriter writer, Site site, ElementConsumer consumer) =>
        new LoopEmitter(_scope).Write(Elements, "i" + Local, writer, site, consumer);

    /// <summary>Writes the elements from the last to the first.</summary>
    public void ProduceReversed(CodeWriter writer, Site site, ElementConsumer consumer)
    {
        Collect(writer, site);
        string index = "i" + Local;
        new LoopEmitter(_scope).Write($"for (int {index} = {List}.Count - 1; {index} >= 0; {index}--)", writer, site, consumer, body => Elements.Declare(body, site.Bindings, index));
    }
}
