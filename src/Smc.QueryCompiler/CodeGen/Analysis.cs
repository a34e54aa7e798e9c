using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// What makes a kernel count: a counter for each operator of its plan, the time of each scan. Only kernels for <c>ExplainAnalyze()</c> have it. Operators are numbered as
/// <see cref="OperatorNumbers"/> does; those of subqueries have no number.
/// </summary>
internal sealed class Analysis(KernelScope scope, OperatorNumbers numbers)
{
    private readonly SortedSet<int> _counted = [];

    /// <summary>A consumer that counts what an operator passes on to another one.</summary>
    public ElementConsumer Counting(LogicalOperator node, ElementConsumer consumer) => CounterOf(node) is { } counter ? new CountingConsumer(consumer, counter) : consumer;

    /// <summary>Writes that an operator has passed on some elements.</summary>
    public void WriteCount(LogicalOperator node, CodeWriter writer, string elements)
    {
        if (CounterOf(node) is { } counter)
            writer.Line($"{counter} += {elements};");
    }

    /// <summary>Writes a loop with its time.</summary>
    public void WriteTimed(LogicalOperator node, CodeWriter writer, Action<CodeWriter> loop)
    {
        if (CounterOf(node) is null)
        {
            loop(writer);
            return;
        }

        string ticks = $"s.Ticks{numbers.Of(node)}";
        writer.Line($"{ticks} -= {Now};");
        loop(writer);
        writer.Line($"{ticks} += {Now};");
    }

    /// <summary>Writes how long rows that a reference leads to are asked.</summary>
    public void WriteTarget(LogicalOperator node, CodeWriter writer, ScalarExpression reference, string target, Action<CodeWriter> loop)
    {
        if (numbers.Of(node) is not { } number)
        {
            loop(writer);
            return;
        }

        string start = "start" + scope.Number();
        writer.Line($"long {start} = {Now};");
        loop(writer);
        writer.Line($"{KernelApi.KernelProfile}.AddTarget({number}, \"{PlanPrinter.Print(reference)}\", {target}.Limit, {start});");
    }

    /// <summary>Writes what a variant begins with.</summary>
    public static void WriteBegin(CodeWriter writer) => writer.Line($"{KernelApi.KernelProfile}.Begin();");

    /// <summary>Writes what has been counted.</summary>
    public void WriteEnd(CodeWriter writer)
    {
        foreach (int number in _counted)
            writer.Line($"{KernelApi.KernelProfile}.Add({number}, s.Passed{number}, s.Ticks{number});");
    }

    private const string Now = "global::System.Diagnostics.Stopwatch.GetTimestamp()";

    private string? CounterOf(LogicalOperator node)
    {
        if (numbers.Of(node) is not { } number)
            return null;
        if (_counted.Add(number))
        {
            scope.Field("long", "Passed" + number);
            scope.Field("long", "Ticks" + number);
        }

        return "s.Passed" + number;
    }

    /// <summary>Counts elements on their way, also those that are taken as a bitmap.</summary>
    private sealed class CountingConsumer(ElementConsumer next, string counter) : ElementConsumer
    {
        public override bool KeepsOnlyValues => next.KeepsOnlyValues;

        public override ScanParts? Parts => next.Parts;

        public override FirstSeek? First => next.First;

        public override string? VectorBatch => next.VectorBatch is { } batch ? $"({batch}) && ({counter} += {KernelApi.RowBitmap}.Count(s.Bitmap, rows)) >= 0" : null;

        public override void Element(CodeWriter writer, Site site)
        {
            writer.Line($"{counter}++;");
            next.Element(writer, site);
        }

        public override void BeginLoop(CodeWriter writer) => next.BeginLoop(writer);

        public override void EndLoop(CodeWriter writer) => next.EndLoop(writer);

        public override void AskAhead(CodeWriter writer, Site row) => next.AskAhead(writer, row);

        public override Site FindAhead(CodeWriter writer, Site row) => next.FindAhead(writer, row);

        public override IEnumerable<ScalarExpression> DeclareReferences(CodeWriter writer, Site row) => next.DeclareReferences(writer, row);

        public override void BeginBlock(CodeWriter writer) => next.BeginBlock(writer);

        public override void EndBlock(CodeWriter writer) => next.EndBlock(writer);

        public override void BeginSerial(CodeWriter writer) => next.BeginSerial(writer);
    }
}
