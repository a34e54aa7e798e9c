using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Values of selected rows are asked for before a loop over the selection comes to them: the processor's own prefetcher, which follows addresses within a page, begins anew with every
/// batch and every few rows. Rows are asked for some rows ahead, a line of memory or two of each; columns once for the batch, where few of its rows are selected; and so is what lies behind references.
/// </summary>
internal sealed class RowsAhead(KernelScope scope, TabularShape shape, int variable)
{
    private const int CacheLine = 64;

    /// <summary>Writes, before a <see cref="KernelMethods.SelectionLoop"/>, the prefetches of what expressions read of its rows, where they lie in columns.</summary>
    public void WriteColumns(CodeWriter writer, IEnumerable<ScalarExpression> reads)
    {
        if (shape.Layout == LayoutKind.Row)
            return;
        foreach (ColumnShape column in Columns(reads).Distinct())
            writer.Line($"{KernelApi.ScanBatch}.AskForColumn({SlotPlace.BlockName} + {scope.Layout.Offset(shape, column)}, {scope.Layout.Stride(shape, column)}, s.Selection, count);");
    }

    /// <summary>Writes, at the top of a <see cref="KernelMethods.SelectionLoop"/>, the prefetches of what expressions read of the row that the loop comes to later, where it lies in rows.</summary>
    public void Write(CodeWriter writer, IEnumerable<ScalarExpression> reads)
    {
        if (shape.Layout != LayoutKind.Row)
            return;
        foreach (ColumnShape column in Columns(reads).GroupBy(column => column.Offset / CacheLine).Select(line => line.First()))
            writer.Line($"{KernelApi.ScanBatch}.AskForRow({SlotPlace.BlockName} + {scope.Layout.Offset(shape, column)}, {scope.Layout.Stride(shape, column)}, next);");
    }

    /// <summary>Writes, before a <see cref="KernelMethods.SelectionLoop"/>, the prefetches of what expressions read behind references of its rows: the first value of each row that is referred to.</summary>
    public void WriteReferenced(CodeWriter writer, IEnumerable<ScalarExpression> reads)
    {
        ColumnRead[] all = [.. reads.SelectMany(e => e.SelfAndDescendants()).OfType<ColumnRead>()];
        HashSet<ScalarExpression> followed = [.. all.Select(read => read.Row)];
        IEnumerable<ColumnRead> values = all.Where(read => read.Row is ColumnRead && !followed.Contains(read)).GroupBy(read => read.Row).Select(row => row.First());
        foreach (ColumnRead value in values)
        {
            List<(TabularShape Shape, ColumnShape Column)> path = [];
            ScalarExpression at = value;
            for (; at is ColumnRead read; at = read.Row)
                path.Insert(0, new ColumnEmitter(scope).Find(read));
            if (at is not RowVariable row || row.Variable != variable || path.Take(path.Count - 1).Any(step => step.Column.Storage != StorageKind.Reference))
                continue;
            string[] places = [.. path.Select(step => $"{scope.Layout.Offset(step.Shape, step.Column)}, {scope.Layout.Stride(step.Shape, step.Column)}")];
            writer.Line($"{KernelApi.ReferencedRows}.Ask({SlotPlace.BlockName} + {places[0]}, s.Selection, count, [{string.Join(", ", places.Skip(1))}]);");
        }
    }

    /// <summary>Writes, before a <see cref="KernelMethods.SelectionLoop"/>, the prefetches of texts that expressions look into, where their words lie in columns.</summary>
    public void WriteTexts(CodeWriter writer, IEnumerable<ScalarExpression> reads)
    {
        if (shape.Layout == LayoutKind.Row)
            return;
        IEnumerable<ScalarExpression> lookedInto = reads.SelectMany(e => e.SelfAndDescendants())
            .SelectMany(e => e is Call call ? call.Arguments.Prepend(call.Instance!) : e is MemberRead { Instance: { } owner } ? [owner] : Enumerable.Empty<ScalarExpression>());
        foreach (ColumnShape column in Columns(lookedInto.Where(e => e is ColumnRead { Type.Kind: TypeKind.String })).Distinct())
            writer.Line($"{KernelApi.ScanBatch}.AskForTexts({SlotPlace.BlockName} + {scope.Layout.Offset(shape, column)}, s.Selection, count);");
    }

    private IEnumerable<ColumnShape> Columns(IEnumerable<ScalarExpression> reads) =>
        reads.SelectMany(e => e.SelfAndDescendants()).OfType<ColumnRead>().Where(read => read.Row is RowVariable row && row.Variable == variable).Select(read => shape.Column(read.Column));

    /// <summary>
    /// What the operators that come first above the scan and its conditions evaluate: values, up to where elements are kept or grouped. Rows on the left of inner joins find partners, as a rule:
    /// filters of keys have dropped those that do not.
    /// </summary>
    public IEnumerable<ScalarExpression> OfConsumer() => Above().SelectMany(node => node.Expressions());

    /// <summary>Of <see cref="OfConsumer"/> what the first operator evaluates for every row.</summary>
    public IEnumerable<ScalarExpression> EvaluatedByConsumer() => Above().Take(1).SelectMany(EvaluatedParts.Of);

    /// <summary>The computed values and what the aggregates evaluate, of <see cref="OfConsumer"/>. Without the group's keys: those behind a reference are remembered (<see cref="ReferencedKeys"/>).</summary>
    public IEnumerable<ScalarExpression> OfValues() => Above().SelectMany(node => node switch
    {
        Compute compute => compute.Expressions(),
        Aggregate aggregate => aggregate.Aggregates.Select(call => call.Predicate ?? call.Selector).OfType<ScalarExpression>(),
        _ => [],
    });

    private IEnumerable<LogicalOperator> Above()
    {
        foreach (LogicalOperator node in scope.Plan.Root.SelfAndAll().Where(node => node is not (Scan or Filter) && node.SelfAndInputs().Any(IsScan)).Reverse())
        {
            yield return node;
            if (node is not Compute && !(node is Join { Kind: JoinKind.Inner } join && join.Left.SelfAndInputs().Any(IsScan)))
                yield break;
        }

        bool IsScan(LogicalOperator node) => node is Scan scan && scan.Variable == variable;
    }
}
