using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Sorts elements by their keys, stably; of a range the other elements are not sorted. Strings compare as <c>Comparer&lt;string&gt;.Default</c> does, or by comparers of the query's.</summary>
internal sealed class OrderEmitter
{
    private readonly KernelScope _scope;
    private readonly LogicalOperator _node;
    private readonly LogicalOperator _input;
    private readonly EquatableArray<OrderKey> _keys;
    private readonly TopN? _range;
    private readonly string _suffix;
    private readonly List<ScalarExpression?> _comparers;
    private readonly List<OrderKey> _compared;
    private string _type = "";

    public OrderEmitter(KernelScope scope, Order order)
        : this(scope, order, order.Input, order.Keys)
    {
    }

    public OrderEmitter(KernelScope scope, TopN top)
        : this(scope, top, top.Input, top.Keys) => _range = top;

    private OrderEmitter(KernelScope scope, LogicalOperator node, LogicalOperator input, EquatableArray<OrderKey> keys)
    {
        _scope = scope;
        _node = node;
        _input = input;
        _keys = keys;
        _suffix = scope.Number().ToString(System.Globalization.CultureInfo.InvariantCulture);
        _comparers = [.. keys.Where(k => k.Value.Type.Kind == TypeKind.String).Select(k => k.Comparer).Distinct()];
        _compared = [.. keys.Where(k => k.ComparesValues)];
    }

    /// <summary>Whether rows refer to what they are sorted by: texts, and values that a comparer compares.</summary>
    private bool HasTexts => _comparers.Count > 0 || _compared.Count > 0;

    /// <summary>Arguments; none stand for the default comparer.</summary>
    private string Comparers => _comparers.Count == 1 && _comparers[0] is null ? "" : string.Join(", ", _comparers.Select(comparer => comparer is null ? "null" : Comparer(comparer)));

    private string Comparer(ScalarExpression comparer) => new ScalarEmitter(_scope, site: null).Value(comparer);

    /// <summary>The values that the comparer of a key compares.</summary>
    private string Values(OrderKey key, string texts) =>
        $"global::System.Runtime.CompilerServices.Unsafe.As<{KernelApi.SortValues}<{key.Value.Type.Text}>>({texts}!.Values[{_compared.IndexOf(key)}])";

    private string Rows => _range is not null ? $"s.Top{_suffix}.Rows" : $"s.Rows{_suffix}";

    private string Local => "sortRow" + _suffix;

    private string Ordered => "ordered" + _suffix;

    /// <summary>Writes the elements in their order.</summary>
    public void Produce(CodeWriter writer, Site site, ElementConsumer consumer) =>
        new LoopEmitter(_scope).Write(Collect(writer, site), "i" + _suffix, writer, site, consumer);

    /// <summary>Writes the statements that collect the elements and sort them.</summary>
    public KeptElements Collect(CodeWriter writer, Site site)
    {
        _scope.Physical.Add(_node, new Sort(OnlyRange: _range is not null, HasWholeKeys));
        ElementRecord record = new(_scope, _input, PlanReads.Above(_node, _scope.Reads), site.Region);
        _type = DeclareType(record);
        Begin(writer, site);
        record.Begin(writer);
        EndConsumer consumer = new((body, at) => WriteRow(body, at, record, site.Region), _compared.Count == 0 ? Parts(record) : null, first: First(record));
        if (_range is null)
        {
            new OperatorEmitter(_scope).Produce(_input, writer, site, consumer);
        }
        else
        {
            using (writer.Open($"if (s.Count{_suffix} > 0)"))
                new OperatorEmitter(_scope).Produce(_input, writer, site, consumer);
        }

        string texts = HasTexts ? $"s.Texts{_suffix}!" : "null";
        writer.Line(_range is not null ? $"s.Top{_suffix}.Finish(ref {site.Region}, {texts});" : $"{KernelApi.StableSort}.Sort(ref {site.Region}, ref {Rows}, {texts});");
        KeptElements rows = KeptElements.InList(Rows, _type, Ordered, record);
        return rows with { Declare = (body, outer, index) => BindKeys(rows.Declare(body, outer, index)) };
    }

    /// <summary>
    /// Integers of columns that rows are sorted by are not loaded again: other threads may write them between the sort and the result, which would then seem to be in another order.
    /// </summary>
    private Bindings BindKeys(Bindings bindings)
    {
        for (int i = 0; i < _keys.Count; i++)
        {
            if (IsWholeColumn(_keys[i]))
                bindings = bindings.WithLoaded((ColumnRead)_keys[i].Value, $"{Ordered}.Key{i}");
        }

        return bindings;
    }

    /// <summary>Whether a key is kept as its column stores it.</summary>
    private static bool IsWholeColumn(OrderKey key) =>
        !key.ComparesValues && key.Value is ColumnRead { Row: RowVariable, Type.IsNullable: false } read && ScalarTraits.IsIntegral(read.Type.Kind);

    /// <summary>Writes what precedes the first element.</summary>
    private void Begin(CodeWriter writer, Site site)
    {
        if (HasTexts)
            _scope.Field(KernelApi.SortTexts + "?", "Texts" + _suffix);
        if (_range is not null)
        {
            _scope.Field($"{KernelApi.TopRows}<{_type}>", "Top" + _suffix);
            _scope.Field("long", "Sequence" + _suffix);
            if (_range.Skip is { } skip)
                writer.Line($"{_scope.Field("int", "Skip" + _suffix)} = {new ScalarEmitter(_scope, site).Value(skip)};");
            writer.Line($"{_scope.Field("int", "Count" + _suffix)} = {new ScalarEmitter(_scope, site).Value(_range.Count)};");
        }
        else
        {
            _scope.Field($"{KernelApi.RegionList}<{_type}>", "Rows" + _suffix);
        }

        WriteNoRows(writer);
    }

    private void WriteNoRows(CodeWriter writer)
    {
        if (HasTexts)
            writer.Line($"s.Texts{_suffix} = new({Comparers}){(_compared.Count == 0 ? "" : $" {{ Values = new object[] {{ {string.Join(", ", _compared.Select(NewValues))} }} }}")};");
        if (_range is not null)
        {
            writer.Line($"s.Top{_suffix} = new({(_range.Skip is null ? "0" : "s.Skip" + _suffix)}, s.Count{_suffix}, {(HasTexts ? "false" : "true")});");
            writer.Line($"s.Sequence{_suffix} = 0;");
        }
        else
        {
            writer.Line($"s.Rows{_suffix} = default;");
        }
    }

    private string NewValues(OrderKey key) => $"new {KernelApi.SortValues}<{key.Value.Type.Text}>({Comparer(key.Comparer!)})";

    /// <summary>
    /// A range is taken of what comes first by the first key, all rows with the key of the last one included: the other keys and the order of the scan say which of them come first. Keys that raise,
    /// and comparers of the query's, have to be asked of all rows.
    /// </summary>
    private FirstSeek? First(ElementRecord record)
    {
        if (_range is null || _keys.Any(key => key.Comparer is not null || ScalarTraits.CanThrow(key.Value)) || FirstSeek.ColumnOf(_scope, _input, _keys[0].Value) is not { } column)
            return null;
        string skip = _range.Skip is null ? "" : $" + global::System.Math.Max(0, s.Skip{_suffix})";
        return new FirstSeek(column, $"(long)s.Count{_suffix}{skip}", _keys[0].Descending != _range.IsReversed, WithTies: true, "s.Sequence" + _suffix, writer =>
        {
            WriteNoRows(writer);
            record.Begin(writer);
        });
    }

    /// <summary>Rows of later parts of a scan come after equal ones of earlier parts.</summary>
    private ScanParts Parts(ElementRecord record) => new(
        writer =>
        {
            WriteNoRows(writer);
            record.Begin(writer);
        },
        writer => WriteMerge(writer, record));

    private void WriteMerge(CodeWriter writer, ElementRecord record)
    {
        if (_range is null && !HasTexts)
        {
            record.WriteMerge(writer, Rows, 0, _type);
            return;
        }

        if (HasTexts)
            writer.Line($"int texts = s.Texts{_suffix}!.AddAll(part.Texts{_suffix}!);");
        record.WriteMerge(writer, Rows, 0, _type, Renumber, _range is null ? null : $"s.Top{_suffix}.Offer");
        if (_range is not null)
            writer.Line($"s.Sequence{_suffix} += part.Sequence{_suffix};");
    }

    private void Renumber(CodeWriter body)
    {
        if (_range is not null)
            body.Line($"row.Sequence += s.Sequence{_suffix};");
        for (int i = 0; i < _keys.Count; i++)
        {
            if (_keys[i].Value.Type.Kind == TypeKind.String)
                body.Line($"row.Key{i} += texts;");
        }
    }

    private void WriteRow(CodeWriter writer, Site site, ElementRecord record, string region)
    {
        ScalarEmitter emitter = new(_scope, site);
        writer.Line($"{_type} {Local} = default;");
        for (int i = 0; i < _keys.Count; i++)
        {
            ScalarExpression key = _keys[i].Value;
            string value = key.Type.Kind == TypeKind.String ? $"s.Texts{_suffix}!.Add({emitter.TryWord(key) ?? emitter.Value(key)})"
                : _keys[i].ComparesValues ? $"{Values(_keys[i], $"s.Texts{_suffix}")}.Add({emitter.Value(key)})"
                : IsScaled(key) ? emitter.TryScaled(key)!.Value.Text
                : emitter.Value(key);
            writer.Line($"{Local}.Key{i} = {value};");
        }

        record.Fill(writer, site, Local);
        if (_range is not null)
            writer.Line($"{Local}.Sequence = s.Sequence{_suffix}++;").Line($"s.Top{_suffix}.Offer(ref {region}, {Local});");
        else
            writer.Line($"s.Rows{_suffix}.Add(ref {region}, {Local});");
    }

    private string DeclareType(ElementRecord record) => _scope.Records.Declare("SortRow", $"{KernelApi.ISortRow}<{RecordTypes.Self}>", types =>
    {
        for (int i = 0; i < _keys.Count; i++)
            types.Line($"public {(_keys[i].ComparesValues ? "int" : KeyType(_keys[i].Value))} Key{i};");
        record.Declare(types);
        if (_range is not null)
            types.Line("public long Sequence;");
        types.Line();
        KernelMethods.InlineHeader(types);
        string header = $"public static int Compare(in {RecordTypes.Self} left, in {RecordTypes.Self} right, {KernelApi.SortTexts}? texts)";
        List<string> comparisons = [.. _keys.Select(Comparison)];
        if (_range is not null)
            comparisons.Add(_range.IsReversed ? "right.Sequence.CompareTo(left.Sequence)" : "left.Sequence.CompareTo(right.Sequence)");
        if (comparisons.Count == 1)
        {
            types.Line($"{header} => {comparisons[0]};");
        }
        else
        {
            using (types.Open(header))
            {
                types.Line("int order;");
                foreach (string comparison in comparisons.Take(comparisons.Count - 1))
                    types.Line($"if ((order = {comparison}) != 0)").Line("    return order;");
                types.Line($"return {comparisons[comparisons.Count - 1]};");
            }
        }

        if (HasWholeKeys)
            WriteWholeKeys(types);
    });

    /// <summary>Whether all rows are sorted, and all keys are whole numbers.</summary>
    private bool HasWholeKeys => _range is null && !_keys.Select(WholeKey).Contains(null);

    /// <summary>Writes the keys as whole numbers.</summary>
    private void WriteWholeKeys(CodeWriter types)
    {
        List<string?> keys = [.. _keys.Select(WholeKey)];
        types.Line();
        types.Line($"public static int WholeKeys => {keys.Count};");
        types.Line();
        KernelMethods.InlineHeader(types);
        string header = $"public static long WholeKey(in {RecordTypes.Self} row, int key, {KernelApi.SortTexts}? texts) =>";
        if (keys.Count == 1)
        {
            types.Line($"{header} {keys[0]};");
            return;
        }

        types.Open($"{header} key switch");
        for (int i = 0; i < keys.Count; i++)
            types.Line($"{(i < keys.Count - 1 ? i.ToString(System.Globalization.CultureInfo.InvariantCulture) : "_")} => {keys[i]},");
        types.Close(";");
    }

    /// <summary>A key of a row as a number that orders as the key does; null if it is none.</summary>
    private string? WholeKey(OrderKey key, int index)
    {
        string value = $"row.Key{index}";
        PlanType type = key.Value.Type;
        string? number = key.ComparesValues || (type.IsNullable && type.Kind != TypeKind.String) ? null : type.Kind switch
        {
            TypeKind.String => $"texts!.RankOf({value}{(_comparers.Count > 1 ? ", " + _comparers.IndexOf(key.Comparer) : "")})",
            TypeKind.Decimal => IsScaled(key.Value) ? value : null,
            TypeKind.Boolean => $"({value} ? 1L : 0)",
            TypeKind.DateOnly => value + ".DayNumber",
            TypeKind.DateTime or TypeKind.TimeOnly or TypeKind.TimeSpan => value + ".Ticks",
            TypeKind.Char => value,
            TypeKind.Enum => type.EnumUnderlying == TypeKind.UInt64 ? null : $"((long){value})",
            TypeKind.UInt64 => $"unchecked((long)({value} ^ 0x8000_0000_0000_0000))",
            _ => ScalarTraits.IsIntegral(type.Kind) ? value : null,
        };
        return number is not null && key.Descending ? "~(long)" + number : number;
    }

    private string KeyType(ScalarExpression key) => key.Type.Kind == TypeKind.String ? "int" : IsScaled(key) ? "long" : key.Type.Text;

    /// <summary>Whether a decimal is kept and compared as its units: all rows have one scale.</summary>
    private bool IsScaled(ScalarExpression key) => _scope.MayGiveUp && key.Type is { Kind: TypeKind.Decimal, IsNullable: false }
        && ScaledExpression.TryBuildOfRow(key, _scope.Plan, static _ => null) is not (null or ScaledConstant);

    private string Comparison(OrderKey key, int index)
    {
        (string left, string right) = key.Descending != (_range?.IsReversed ?? false) ? ("right", "left") : ("left", "right");
        (string a, string b) = ($"{left}.Key{index}", $"{right}.Key{index}");
        if (key.Value.Type.Kind == TypeKind.String)
            return $"texts!.Compare({a}, {b}{(_comparers.Count > 1 ? ", " + _comparers.IndexOf(key.Comparer) : "")})";
        if (key.ComparesValues)
            return $"{Values(key, "texts")}.Compare({a}, {b})";
        if (key.Value.Type.IsNullable)
            return $"global::System.Nullable.Compare({a}, {b})";
        return key.Value.Type.Kind == TypeKind.Enum
            ? $"(({ScalarTraits.CSharpName(key.Value.Type.EnumUnderlying)}){a}).CompareTo(({ScalarTraits.CSharpName(key.Value.Type.EnumUnderlying)}){b})"
            : $"{a}.CompareTo({b})";
    }
}
