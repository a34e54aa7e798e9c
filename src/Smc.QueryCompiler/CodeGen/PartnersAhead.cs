using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Partners of selected rows are asked for before the loop that looks them up: the head of each chain, then its first row, then what is read of the row that this one stands for.
/// Where the table is larger than the caches near the processor, the misses of a batch then run side by side instead of one after the other (batched probes).
/// </summary>
internal sealed class PartnersAhead(KernelScope scope, Join join, int number, JoinKeys keys, ElementRecord record)
{
    // Where the left is two sequences in a row, each has a scan of its own.
    private int _written;

    /// <summary>Writes the call, and the method that it calls, if the keys are columns of the scanned row.</summary>
    public void Write(CodeWriter writer, Site row)
    {
        if (!keys.All.TrueForAll(key => IsScanned(key.Left, row)))
            return;
        string name = _written++ == 0 ? $"Ask{number}" : $"Ask{number}Scan{_written}";
        CodeWriter method = new();
        KernelMethods.Header(method);
        using (method.Open($"private static void {name}(ref State s, ulong {SlotPlace.BlockName}, int count)"))
        {
            WriteLoop(method, row, body => body.Line($"{Table}.Ask({keys.Sought});"));
            WriteLoop(method, row, body => body.Line($"{KernelApi.KernelMemory}.Prefetch({Rows}.AddressOf({Table}.First({keys.Sought})));"));
            string[] values = [.. Values()];
            if (values.Length > 0)
            {
                WriteLoop(method, row, body =>
                {
                    body.Line($"int {At} = {Table}.First({keys.Sought});");
                    foreach (string value in values)
                        body.Line($"{KernelApi.KernelMemory}.Prefetch({value});");
                });
            }
        }

        scope.AddMethod(method);
        scope.Physical.Add(join, new PartnersAskedAhead());
        writer.Line($"if ({Table}.IsLarge)").Line($"    {name}(ref s, {SlotPlace.BlockName}, count);");
    }

    private string Rows => $"s.Built{number}";

    private string Table => $"s.Table{number}";

    private string At => $"at{number}";

    private void WriteLoop(CodeWriter method, Site row, Action<CodeWriter> ask)
    {
        using (method.Open(KernelMethods.SelectionLoop))
        {
            method.Line(KernelMethods.SelectedSlot);
            keys.DeclareLeft(method, row);
            ask(method);
        }
    }

    /// <summary>Whether a key is an integer or a handle in a column of the scanned row.</summary>
    private static bool IsScanned(ScalarExpression key, Site row) => key switch
    {
        Plan.Convert { Operand: ColumnRead read } convert => !ScalarTraits.CanThrow(convert) && IsScanned(read, row),
        ColumnRead { Row: RowVariable variable, Type.Kind: var kind } => (kind == TypeKind.Tabular || kind == TypeKind.DateOnly || kind == TypeKind.Enum || ScalarTraits.IsIntegral(kind))
            && row.Bindings.Rows.TryGetValue(variable.Variable, out RowPlace? place) && place == SlotPlace.Current,
        _ => false,
    };

    /// <summary>Addresses of what is read, above the join, of the first partner.</summary>
    private IEnumerable<string> Values()
    {
        HashSet<LogicalOperator> right = [.. join.Right.SelfAndAll()];
        ColumnRead[] reads = [.. scope.Plan.Root.SelfAndAll().Where(node => node != join && !right.Contains(node)).SelectMany(node => node.Expressions())
            .SelectMany(expression => expression.SelfAndDescendants()).OfType<ColumnRead>().Distinct()];
        foreach ((int variable, string field) in record.Locations)
        {
            foreach (ColumnRead read in reads.Where(read => read.Row is RowVariable row && row.Variable == variable))
            {
                (TabularShape shape, ColumnShape column) = new ColumnEmitter(scope).Find(read);
                yield return $"{KernelApi.KernelMemory}.AddressAt({Rows}[{At}].{field}, {scope.Layout.Offset(shape, column)}, {scope.Layout.Stride(shape, column)})";
            }
        }
    }
}
