using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Keeps the rows of groups: a list of all of them, chained per group in their order.</summary>
internal sealed class GroupRowsEmitter
{
    /// <summary>What a group has: the numbers of its first and last row.</summary>
    public const int RecordBytes = 2 * sizeof(int);

    private readonly KernelScope _scope;
    private readonly ElementRecord _record;
    private readonly bool _isGrouped;
    private readonly int _offset;
    private readonly string _type;
    private readonly string _rows;
    private readonly string _local;
    private readonly string _region;
    private readonly Dictionary<int, ScalarExpression?> _types = [];
    private readonly KeptRowsFilter? _filter;

    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="aggregate">The aggregate.</param>
    /// <param name="readers">The operators that read the rows.</param>
    /// <param name="suffix">What names end with.</param>
    /// <param name="isGrouped">Whether there are groups.</param>
    /// <param name="offset">Where a group has the numbers.</param>
    /// <param name="region">Where rows are kept.</param>
    /// <param name="scan">The scan that the rows come from directly; null for others.</param>
    public GroupRowsEmitter(KernelScope scope, Aggregate aggregate, IReadOnlyList<GroupRows> readers, string suffix, bool isGrouped, int offset, string region, ScanChain? scan)
    {
        _filter = KeptRowsFilter.TryMake(scope, aggregate, readers, scan);
        _scope = scope;
        _isGrouped = isGrouped;
        _offset = offset;
        _region = region;
        _local = "groupRow" + suffix;
        Dictionary<int, ScalarExpression> read = [];
        foreach ((PlanRead found, ScalarExpression? expression) in scope.Reads.Where(r => r.Read.Kind is ReadKind.Row or ReadKind.Value))
            read[found.Number] = expression!;
        List<(PlanRead, ScalarExpression?)> reads = [];
        foreach (GroupVariable variable in readers.SelectMany(r => r.Variables))
        {
            if (!read.TryGetValue(variable.Variable, out ScalarExpression? reader))
                continue;
            _types[variable.Variable] = reader;
            reads.Add(reader is RowVariable row
                ? (new PlanRead(ReadKind.Row, variable.Source), row with { Variable = variable.Source })
                : (new PlanRead(ReadKind.Value, variable.Source), (ValueVariable)reader with { Variable = variable.Source }));
        }

        _record = new ElementRecord(scope, aggregate.Input, reads, region);
        _type = scope.Records.Declare("GroupRow", KernelApi.IChainedRow, types =>
        {
            _record.Declare(types);
            types.Line("public int Next { get; set; }");
        });
        _rows = scope.Field($"{KernelApi.RegionList}<{_type}>", "GroupRows" + suffix);
    }

    /// <summary>How the rows are kept.</summary>
    /// <param name="sideBySide">Whether <see cref="Arrange"/> is called.</param>
    public KeptRows Plan(bool sideBySide) => new(_filter?.Conditions ?? [], _filter?.Asked ?? [], sideBySide);

    /// <summary>Writes what precedes the first row. Row 0 stands for none.</summary>
    public void Begin(CodeWriter writer)
    {
        writer.Line($"{_rows}.Begin(ref {_region});");
        _record.Begin(writer);
    }

    /// <summary>Writes the statements that add the row at hand to its group.</summary>
    public void Add(CodeWriter writer, Site site, string group)
    {
        if (_filter is null)
        {
            WriteRow(writer, site, group);
            return;
        }

        using (writer.Open($"if ({_filter.Test(writer, site)})"))
            WriteRow(writer, site, group);
    }

    private void WriteRow(CodeWriter writer, Site site, string group)
    {
        writer.Line($"{_type} {_local} = default;");
        _record.Fill(writer, site, _local);
        writer.Line($"{_rows}.Add(ref {_region}, {_local});");
        if (!_isGrouped)
            return;
        string last = $"{KernelApi.KernelMemory}.Read<int>({group} + {_offset + sizeof(int)})", number = $"{_rows}.Count - 1";
        writer.Line($"if ({last} == 0)").Line($"    {KernelApi.KernelMemory}.Write<int>({group} + {_offset}, {number});");
        writer.Line("else").Line($"    {_rows}[{last}].Next = {number};");
        writer.Line($"{KernelApi.KernelMemory}.Write<int>({group} + {_offset + sizeof(int)}, {number});");
    }

    /// <summary>Writes the statements that put the rows of a part of a scan behind those of the parts before, before its groups are merged.</summary>
    public void MergeRows(CodeWriter writer)
    {
        writer.Line($"int before{_rows.Substring(2)} = {_rows}.Count - 1;");
        _record.WriteMerge(writer, _rows, 1, _type, row => row.Line("if (row.Next != 0)").Line($"    row.Next += before{_rows.Substring(2)};"));
    }

    /// <summary>Writes the statements that put the rows of a group of a part behind those that the group has already.</summary>
    public void MergeGroup(CodeWriter writer, string added, string group)
    {
        if (!_isGrouped)
            return;
        string before = "before" + _rows.Substring(2);
        string first = $"{KernelApi.KernelMemory}.Read<int>({added} + {_offset})", end = $"{KernelApi.KernelMemory}.Read<int>({added} + {_offset + sizeof(int)})";
        string last = $"{KernelApi.KernelMemory}.Read<int>({group} + {_offset + sizeof(int)})";
        writer.Line("// A part may have kept no row of a group.");
        using (writer.Open($"if ({first} != 0)"))
        {
            writer.Line($"if ({last} == 0)").Line($"    {KernelApi.KernelMemory}.Write<int>({group} + {_offset}, {before} + {first});");
            writer.Line("else").Line($"    {_rows}[{last}].Next = {before} + {first};");
            writer.Line($"{KernelApi.KernelMemory}.Write<int>({group} + {_offset + sizeof(int)}, {before} + {end});");
        }
    }

    /// <summary>Writes the statements that number the rows of a group of a part anew which stays where it is.</summary>
    public void MoveGroup(CodeWriter writer, string group)
    {
        if (!_isGrouped)
            return;
        writer.Line($"ulong moved = {group};");
        string first = $"{KernelApi.KernelMemory}.Read<int>(moved + {_offset})", last = $"{KernelApi.KernelMemory}.Read<int>(moved + {_offset + sizeof(int)})", before = "before" + _rows.Substring(2);
        using (writer.Open($"if ({first} != 0)"))
        {
            writer.Line($"{KernelApi.KernelMemory}.Write<int>(moved + {_offset}, {before} + {first});");
            writer.Line($"{KernelApi.KernelMemory}.Write<int>(moved + {_offset + sizeof(int)}, {before} + {last});");
        }
    }

    /// <summary>Writes the statement that lays the rows of each group side by side, before those of all groups are read.</summary>
    public void Arrange(CodeWriter writer, string groups) => writer.Line($"{KernelApi.ChainedRows}.Arrange(ref {_region}, {groups}, {_offset}, ref {_rows});");

    /// <summary>Writes a loop over the rows of a group.</summary>
    public void Produce(GroupRows rows, string group, CodeWriter writer, Site site, ElementConsumer consumer)
    {
        string number = "at" + _scope.Number(), local = "row" + number;
        string header = _isGrouped
            ? $"for (int {number} = {KernelApi.KernelMemory}.Read<int>({group} + {_offset}); {number} != 0; {number} = {_rows}[{number}].Next)"
            : $"for (int {number} = 1; {number} < {_rows}.Count; {number}++)";
        new LoopEmitter(_scope).Write(header, writer, site with { IsNested = true }, consumer, body =>
        {
            body.Line($"ref {_type} {local} = ref {_rows}[{number}];");
            Bindings kept = _record.Bind(Bindings.None, local), bindings = site.Bindings;
            foreach (GroupVariable variable in rows.Variables.Where(v => _types.ContainsKey(v.Variable)))
            {
                bindings = _types[variable.Variable] is RowVariable
                    ? bindings.WithRow(variable.Variable, kept.Rows[variable.Source])
                    : bindings.WithValue(variable.Variable, kept.Values[variable.Source]);
            }

            return bindings;
        });
    }
}
