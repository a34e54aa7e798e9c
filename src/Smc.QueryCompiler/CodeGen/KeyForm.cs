using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>How a grouping key lies in a group as 64-bit words: those that are compared, and those that only keep the first occurrence as it was written.</summary>
internal sealed class KeyForm
{
    private readonly PlanType _type;
    private readonly KernelScope _scope;
    private readonly ColumnShape? _stored;
    private readonly string _prefix;
    private readonly SharedTextsField _texts;
    private string? _numbers;
    private string? _scratch;

    /// <param name="scope">The variant of the kernel.</param>
    /// <param name="type">The type of the key.</param>
    /// <param name="stored">The integer-like column that the key is, if it is one: then its integers are the words.</param>
    /// <param name="firstWord">The position of the first word among those of all keys.</param>
    /// <param name="prefix">What locals with words begin with.</param>
    /// <param name="isPart">Whether the key is one of several of a group: the first value that equals it may be another group's.</param>
    public KeyForm(KernelScope scope, PlanType type, ColumnShape? stored, int firstWord, string prefix, bool isPart = false)
    {
        _scope = scope;
        _texts = new SharedTextsField(scope);
        _type = type;
        _stored = stored;
        _prefix = prefix;
        FirstWord = firstWord;
        ComparedWords = (Flag.Length > 0 ? 1 : 0) + (type.Kind is TypeKind.Guid or TypeKind.Int128 or TypeKind.UInt128 || IsDecimal ? 2 : 1);
        KeepsValue = isPart && IsNumbered && !ComparedText.Is(type);
        KeptWords = IsDecimal || type.Kind == TypeKind.DateTimeOffset ? 2 : KeepsValue || ScalarTraits.IsFloating(type.Kind) || type.Kind == TypeKind.DateTime ? 1 : 0;
    }

    public int FirstWord { get; }

    public int ComparedWords { get; }

    public int KeptWords { get; }

    public int Words => ComparedWords + KeptWords;

    public bool IsText => _type.Kind == TypeKind.String;

    /// <summary>Whether the one word that is compared is an integer, in the form in which columns store it.</summary>
    public bool IsInteger => _stored is not null || (ScalarTraits.IsIntegral(_type.Kind) && !_type.IsNullable);

    /// <summary>Whether the one word that is compared is the handle of a row.</summary>
    public bool IsHandle => _type is { Kind: TypeKind.Tabular, IsNullable: false };

    /// <summary>Whether keys are equal when one word is.</summary>
    public bool IsOneWord => ComparedWords == 1 && !IsText;

    /// <summary>Text that is true when words of the key's column are exact; null when its values come from several columns or collections.</summary>
    public string? HasExactWords { get; private set; }

    /// <summary>A decimal whose digits are not those of a stored column.</summary>
    private bool IsDecimal => _type.Kind == TypeKind.Decimal && _stored is null;

    /// <summary>Any other type: values are numbered as they come, by their own equality.</summary>
    public bool IsNumbered => !IsText && !IsHandle && !ScalarTraits.IsUnmanaged(_type);

    /// <summary>Whether the word that is kept tells where the value of the group's first element is.</summary>
    private bool KeepsValue { get; }

    private string Flag => _type.IsNullable && !IsText && !IsNumbered ? "f" : "";

    /// <summary>The same form for keys of another side, with locals of other names.</summary>
    public KeyForm Beside(string prefix) => new(_scope, _type, _stored, FirstWord, prefix) { _numbers = IsNumbered ? Numbers : null };

    /// <summary>The form of a grouping key.</summary>
    public static KeyForm Of(KernelScope scope, ScalarExpression key, int firstWord, string prefix, bool isPart = false) =>
        new(scope, key.Type, StoredColumn(key, scope.Plan), firstWord, prefix, isPart);

    /// <summary>The integer-like column that the key is, without conversion.</summary>
    public static ColumnShape? StoredColumn(ScalarExpression key, QueryPlan plan)
    {
        if (key is not ColumnRead read)
            return null;
        ColumnShape column = plan.Shape(read.Row.Type.CSharp).Column(read.Column);
        return column.NullBitmapOffset < 0 && ColumnEmitter.IsStoredInteger(column) ? column : null;
    }

    /// <summary>Writes what precedes the first key.</summary>
    public void Begin(CodeWriter writer)
    {
        if (IsNumbered)
            writer.Line($"{Numbers} = new();");
    }

    /// <summary>Declares the words of the key for the element at hand.</summary>
    public void DeclareWords(CodeWriter writer, Site site, ScalarExpression key)
    {
        ScalarEmitter emitter = new(_scope, site);
        if (IsText)
        {
            writer.Line($"ulong {Local(FirstWord)} = {emitter.TryWord(key) ?? $"{Scratch}.Encode({emitter.Value(key)}, ref s.Region)"};");
        }
        else if (IsHandle)
        {
            writer.Line($"ulong {Local(FirstWord)} = {emitter.Bits(key)};");
        }
        else if (_stored is not null)
        {
            writer.Line($"ulong {Local(FirstWord)} = unchecked((ulong)(long){emitter.Raw((ColumnRead)key)});");
        }
        else if (IsNumbered)
        {
            string? stored = key is Call { Method: ComparedText.Method } compared && emitter.TryWord(compared.Arguments[0]) is { } word ? $"{word}, {emitter.Value(compared.Arguments[1])}, ref s.Region" : null;
            writer.Line($"ulong {Local(FirstWord)} = {Numbers}.Of({stored ?? emitter.Value(key)});");
            // Known when a group is added.
            if (KeepsValue)
                writer.Line($"const ulong {Local(FirstWord + 1)} = 0;");
        }
        else
        {
            DeclareValue(writer, emitter.Value(key));
        }
    }

    /// <summary>Text that is true when the key at hand is not null; null when it never is.</summary>
    public string? IsPresent => IsText || IsNumbered ? $"{Local(FirstWord)} != 0" : Flag.Length > 0 ? $"{Local(FirstWord)} != 0" : null;

    /// <summary>The name of a word of the key at hand.</summary>
    public string Local(int word) => _prefix + word.ToString(System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>A word of the key at hand as it is kept: a text that was made for the question is copied.</summary>
    /// <param name="word">Which word.</param>
    /// <param name="text">Its text.</param>
    /// <param name="region">Where groups are kept.</param>
    /// <param name="isStored">Whether the key is a column.</param>
    public string Keep(int word, string text, string region, bool isStored) => word > FirstWord && KeepsValue ? $"{Numbers}.KeepLast()"
        : IsText && !isStored ? $"{KernelApi.KeyWords}.Keep({text}, ref {region})" : text;

    private string Numbers => _numbers ??= _scope.Field(ComparedText.Is(_type) ? KernelApi.ComparedTexts : $"{KernelApi.ValueNumbers}<{_type.Text}>", "Numbers" + _scope.Number());

    private string Scratch => _scratch ??= _scope.ScratchField(KernelApi.TextScratch, "Scratch" + _scope.Number());

    private void DeclareValue(CodeWriter writer, string text)
    {
        string value = "key" + _prefix + FirstWord;
        writer.Line($"{_type.Text} {value} = {text};");
        int word = FirstWord;
        if (Flag.Length > 0)
        {
            writer.Line($"ulong {Local(word++)} = {KernelApi.KernelMemory}.ToUInt64({value}.HasValue);");
            value += ".GetValueOrDefault()";
        }

        foreach (string part in WordsOf(value))
            writer.Line($"ulong {Local(word++)} = {part};");
    }

    /// <summary>Text that is true when the compared words equal those of a record.</summary>
    /// <param name="kept">The text of a kept word, by position.</param>
    /// <param name="asked">The text of the word that is looked for.</param>
    public string IsEqual(Func<int, string> kept, Func<int, string> asked)
    {
        IEnumerable<string> tests = Enumerable.Range(FirstWord, ComparedWords).Select(word => IsText
            ? $"{KernelApi.StringWord}.Equals({kept(word)}, {asked(word)})"
            : $"{kept(word)} == {asked(word)}");
        return string.Join(" && ", tests);
    }

    /// <summary>Text of the words to hash.</summary>
    public IEnumerable<string> HashedWords(Func<int, string> word) => Enumerable.Range(FirstWord, ComparedWords)
        .Select(i => IsText ? $"{KernelApi.KeyWords}.HashText({word(i)}{(HasExactWords is null ? "" : ", " + HasExactWords)})" : word(i));

    /// <summary>Writes how the kernel asks, before the scan, whether the words of a text column are exact.</summary>
    /// <param name="context">The collection that the rows of the key come from.</param>
    /// <param name="key">The key.</param>
    public void AskForExactWords(string context, ScalarExpression key)
    {
        if (!IsText || key is not ColumnRead { Row: RowVariable } read)
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
            return _texts.Decode(Bits(group));
        if (IsNumbered)
            return KeepsValue ? $"{Numbers}.Kept({Read(group, FirstWord + 1)})" : $"{Numbers}[{Bits(group)}]";
        if (IsHandle)
            return $"{KernelApi.RowHandle}.FromBits<{_type.CSharp}>({Bits(group)})";
        if (Flag.Length == 0)
            return ValueOf(group, FirstWord, FirstWord + ComparedWords);
        return $"({Bits(group)} == 0 ? default({_type.Text}) : ({_type.Text}){ValueOf(group, FirstWord + 1, FirstWord + ComparedWords)})";
    }

    private IEnumerable<string> WordsOf(string value) => _type.Kind switch
    {
        TypeKind.Boolean => [$"{KernelApi.KernelMemory}.ToUInt64({value})"],
        TypeKind.DateOnly => [$"(ulong){value}.DayNumber"],
        TypeKind.TimeOnly or TypeKind.TimeSpan => [$"unchecked((ulong){value}.Ticks)"],
        TypeKind.DateTime => [$"(ulong){value}.Ticks", $"{KernelApi.KeyWords}.Word({value}, 0)"],
        TypeKind.DateTimeOffset => [$"unchecked((ulong){value}.UtcTicks)", $"{KernelApi.KeyWords}.Word({value}, 0)", $"{KernelApi.KeyWords}.Word({value}, 1)"],
        TypeKind.Decimal => [$"{KernelApi.KeyWords}.OfDecimal({value}, 0)", $"{KernelApi.KeyWords}.OfDecimal({value}, 1)", $"{KernelApi.KeyWords}.Word({value}, 0)", $"{KernelApi.KeyWords}.Word({value}, 1)"],
        TypeKind.Guid or TypeKind.Int128 or TypeKind.UInt128 => [$"{KernelApi.KeyWords}.Word({value}, 0)", $"{KernelApi.KeyWords}.Word({value}, 1)"],
        TypeKind.Half or TypeKind.Single or TypeKind.Double => [$"{KernelApi.KeyWords}.OfDouble((double){value})", $"{KernelApi.KeyWords}.Word((double){value}, 0)"],
        _ => [$"unchecked((ulong)(long){value})"],
    };

    private string ValueOf(string group, int compared, int kept)
    {
        string type = _type.CSharp;
        return _type.Kind switch
        {
            TypeKind.Boolean => $"({Read(group, compared)} != 0)",
            TypeKind.DateOnly => $"global::System.DateOnly.FromDayNumber((int){Read(group, compared)})",
            TypeKind.TimeOnly or TypeKind.TimeSpan => $"new {type}(unchecked((long){Read(group, compared)}))",
            TypeKind.DateTime or TypeKind.DateTimeOffset or TypeKind.Decimal => ReadAs(type, group, kept),
            TypeKind.Guid or TypeKind.Int128 or TypeKind.UInt128 => ReadAs(type, group, compared),
            TypeKind.Half or TypeKind.Single or TypeKind.Double => $"(({type}){ReadAs("double", group, kept)})",
            _ => $"unchecked(({type})(long){Read(group, compared)})",
        };
    }

    /// <summary>A word of a group's record.</summary>
    public static string Read(string group, int word) => ReadAs("ulong", group, word);

    private static string ReadAs(string type, string group, int word) => $"{KernelApi.KernelMemory}.Read<{type}>({group} + {word * 8})";
}
