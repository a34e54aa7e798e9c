using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Reference columns that lead from a scanned row to another one, the last of them in front: <c>l.Order.Customer</c>.</summary>
internal sealed class ReferencePath
{
    private readonly List<ColumnRead> _columns;

    private ReferencePath(Scan scan, List<ColumnRead> columns) => (Scan, _columns) = (scan, columns);

    /// <summary>The scan that the path begins at.</summary>
    public Scan Scan { get; }

    /// <summary>The column that the path consists of; null if there are several.</summary>
    public ColumnRead? OneColumn => _columns.Count == 1 ? _columns[0] : null;

    /// <summary>The path that a value is; null if it is anything else, or a column on the way has no zone map to tell the collection by.</summary>
    /// <param name="value">The value.</param>
    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="scans">The scans that a path may begin at.</param>
    public static ReferencePath? TryFind(ScalarExpression value, KernelScope scope, IReadOnlyList<Scan> scans)
    {
        List<ColumnRead> columns = [];
        while (value is ColumnRead { Type: { Kind: TypeKind.Tabular, IsNullable: false } } column && new ColumnEmitter(scope).Find(column).Column.HasZoneMap)
        {
            columns.Add(column);
            value = column.Row;
        }

        return columns.Count > 0 && value is RowVariable row && scans.FirstOrDefault(s => s.Variable == row.Variable) is { } scan ? new ReferencePath(scan, columns) : null;
    }

    /// <summary>Text of the rows that the path leads to.</summary>
    public string Target(KernelScope scope)
    {
        string target = "";
        foreach (ColumnRead read in _columns.AsEnumerable().Reverse())
        {
            (TabularShape shape, ColumnShape column) = new ColumnEmitter(scope).Find(read);
            string zone = scope.Layout.Zone(shape, column);
            target = target.Length == 0 ? $"{KernelApi.TargetRows}.Locate(s.Context{Scan.Parameter}, {zone})" : $"{target}.Next({scope.Layout.Hash(shape)}, {zone})";
        }

        return target;
    }
}
