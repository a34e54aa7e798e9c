using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>How a grouping key lies in a group as 64-bit words: those that are compared, and those that only keep the first occurrence as it was written.</summary>
internal sealed class KeyForm
{
    private readonly ScalarExpression _key;
    private readonly KernelScope _scope;
    private readonly ColumnShape? _stored;

    public KeyForm(KernelScope scope, ScalarExpression key, int firstWord)
    {
        _scope = scope;
        _key = key;
        FirstWord = firstWord;
        _stored = StoredColumn(key, scope.Plan);
        ComparedWords = (key.Type.IsNullable && key.Type.Kind != TypeKind.String ? 1 : 0) + (key.Type.Kind is TypeKind.Guid or TypeKind.Int128 or TypeKind.UInt128 || IsDecimal ? 2 : 1);
        KeptWords = IsDecimal ? 2 : ScalarTraits.IsFloating(key.Type.Kind) || key.Type.Kind == TypeKind.DateTime ? 1 : 0;
    }

    public int FirstWord { get; }

    public int ComparedWords { get; }

    public int KeptWords { get; }

    public int Words => ComparedWords + KeptWords;

    public bool IsText => _key.Type.Kind == TypeKind.String;

    /// <summary>Text that is true when words of the key's column are exact; null when its values come from several columns or collections.</summary>
    public string? HasExactWords { get; private set; }

    /// <summary>A decimal whose digits are not those of a stored column.</summary>
    private bool IsDecimal => _key.Type.Kind == TypeKind.Decimal && _stored is null;

    private string Flag => _key.Type.IsNullable && !IsText ? "f" : "";

    /// <summary>Whether keys of the type can be grouped by; text and binary only as stored words.</summary>
    public static bool IsSupported(ScalarExpression key) => key.Type.Kind switch
    {
        TypeKind.String => key is ColumnRead || key is KeyRead,
        TypeKind.Tabular => !key.Type.IsNullable,
        TypeKind.Boolean or TypeKind.Char or TypeKind.Enum or TypeKind.DateOnly or TypeKind.TimeOnly or TypeKind.TimeSpan or TypeKind.DateTime
            or TypeKind.Guid or TypeKind.Decimal or TypeKind.Int128 or TypeKind.UInt128 => true,
        _ => ScalarTraits.IsIntegral(key.Type.Kind) || ScalarTraits.IsFloating(key.Type.Kind),
    };

    /// <summary>The integer-like column that the key is, without conversion.</summary>
    public static ColumnShape? StoredColumn(ScalarExpression key, QueryPlan plan)
    {
        if (key is not ColumnRead read)
            return null;
        ColumnShape column = plan.Shape(read.Row.Type.CSharp).Column(read.Column);
        return column.NullBitmapOffset < 0 && ColumnEmitter.IsStoredInteger(column) ? column : null;
    }

    /// <summary>Declares the words of the key for the element at hand: <c>k0</c>, <c>k1</c>, ….</summary>
    public void DeclareWords(CodeWriter writer, ScalarEmitter emitter)
    {
        if (IsText || _key.Type.Kind == TypeKind.Tabular)
        {
            writer.Line($"ulong k{FirstWord} = {emitter.TryWord(_key)};");
            return;
        }

        if (_stored is not null)
        {
            writer.Line($"ulong k{FirstWord} = unchecked((ulong)(long){new ColumnEmitter(_scope).Raw((ColumnRead)_key, LocationOf((ColumnRead)_key, emitter))});");
            return;
        }

        string value = "key" + FirstWord;
        writer.Line($"var {value} = {emitter.Value(_key)};");
        int word = FirstWord;
        if (Flag.Length > 0)
        {
            writer.Line($"ulong k{word++} = {KernelApi.KernelMemory}.ToUInt64({value}.HasValue);");
            value += ".GetValueOrDefault()";
        }

        foreach (string text in WordsOf(value))
            writer.Line($"ulong k{word++} = {text};");
    }

    /// <summary>Text that is true when the compared words equal those of a group.</summary>
    public string IsEqual(string group)
    {
        IEnumerable<string> tests = Enumerable.Range(FirstWord, ComparedWords).Select(word => IsText
            ? $"{KernelApi.StringWord}.Equals({Read(group, word)}, k{word})"
            : $"{Read(group, word)} == k{word}");
        return string.Join(" && ", tests);
    }

    /// <summary>Text of the words to hash.</summary>
    public IEnumerable<string> HashedWords => Enumerable.Range(FirstWord, ComparedWords)
        .Select(word => IsText ? $"{KernelApi.KeyWords}.HashText(k{word}{(HasExactWords is null ? "" : ", " + HasExactWords)})" : "k" + word);

    /// <summary>Writes how the kernel asks, before the scan, whether the words of a text column are exact.</summary>
    /// <param name="context">The collection that the rows of the key come from.</param>
    public void AskForExactWords(string context)
    {
        if (!IsText || _key is not ColumnRead { Row: RowVariable } read)
            return;
        (TabularShape shape, ColumnShape column) = new ColumnEmitter(_scope).Find(read);
        HasExactWords = _scope.Field("bool", "HasExactWords" + _scope.Number());
        _scope.Setup.Line($"{HasExactWords} = {context}.Strings.HasExactWords((int){_scope.Layout.Offset(shape, column)});");
    }

    /// <summary>The first word as a group holds it.</summary>
    public string Bits(string group) => Read(group, FirstWord);

    /// <summary>The key of a group as its C# value.</summary>
    public string Value(string group)
    {
        if (_stored is { } column)
            return ColumnEmitter.Decode(column, $"unchecked(({ColumnEmitter.StorageType(column)}){Bits(group)})");
        if (IsText)
            return $"{KernelApi.StringWord}.Decode({Bits(group)})";
        if (_key.Type.Kind == TypeKind.Tabular)
            return $"{KernelApi.RowHandle}.FromBits<{_key.Type.CSharp}>({Bits(group)})";
        if (Flag.Length == 0)
            return ValueOf(group, FirstWord, FirstWord + ComparedWords);
        return $"({Bits(group)} == 0 ? default({_key.Type.Text}) : ({_key.Type.Text}){ValueOf(group, FirstWord + 1, FirstWord + ComparedWords)})";
    }

    private IEnumerable<string> WordsOf(string value) => _key.Type.Kind switch
    {
        TypeKind.Boolean => [$"{KernelApi.KernelMemory}.ToUInt64({value})"],
        TypeKind.DateOnly => [$"(ulong){value}.DayNumber"],
        TypeKind.TimeOnly or TypeKind.TimeSpan => [$"unchecked((ulong){value}.Ticks)"],
        TypeKind.DateTime => [$"(ulong){value}.Ticks", $"{KernelApi.KeyWords}.Word({value}, 0)"],
        TypeKind.Decimal => [$"{KernelApi.KeyWords}.OfDecimal({value}, 0)", $"{KernelApi.KeyWords}.OfDecimal({value}, 1)", $"{KernelApi.KeyWords}.Word({value}, 0)", $"{KernelApi.KeyWords}.Word({value}, 1)"],
        TypeKind.Guid or TypeKind.Int128 or TypeKind.UInt128 => [$"{KernelApi.KeyWords}.Word({value}, 0)", $"{KernelApi.KeyWords}.Word({value}, 1)"],
        TypeKind.Half or TypeKind.Single or TypeKind.Double => [$"{KernelApi.KeyWords}.OfDouble((double){value})", $"{KernelApi.KeyWords}.Word((double){value}, 0)"],
        _ => [$"unchecked((ulong)(long){value})"],
    };

    private string ValueOf(string group, int compared, int kept)
    {
        string type = _key.Type.CSharp;
        return _key.Type.Kind switch
        {
            TypeKind.Boolean => $"({Read(group, compared)} != 0)",
            TypeKind.DateOnly => $"global::System.DateOnly.FromDayNumber((int){Read(group, compared)})",
            TypeKind.TimeOnly or TypeKind.TimeSpan => $"new {type}(unchecked((long){Read(group, compared)}))",
            TypeKind.DateTime or TypeKind.Decimal => ReadAs(type, group, kept),
            TypeKind.Guid or TypeKind.Int128 or TypeKind.UInt128 => ReadAs(type, group, compared),
            TypeKind.Half or TypeKind.Single or TypeKind.Double => $"(({type}){ReadAs("double", group, kept)})",
            _ => $"unchecked(({type})(long){Read(group, compared)})",
        };
    }

    private static string Read(string group, int word) => ReadAs("ulong", group, word);

    private static string ReadAs(string type, string group, int word) => $"{KernelApi.KernelMemory}.Read<{type}>({group} + {word * 8})";

    private static string? LocationOf(ColumnRead read, ScalarEmitter emitter) => emitter.Location(read.Row);
}
