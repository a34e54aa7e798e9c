using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>Scalar expressions as C# text over the element that the kernel is at. The text has the meaning, order and exceptions of the user's expression.</summary>
/// <param name="scope">The variant of the kernel.</param>
/// <param name="site">Where the text goes; null for what is computed before anything is read.</param>
/// <param name="isOfText">Whether the text is that of a <see cref="TextFunction"/>, whose parts are not kept again.</param>
internal sealed class ScalarEmitter(KernelScope scope, Site? site, bool isOfText = false)
{
    private readonly ColumnEmitter _columns = new(scope);

    /// <summary>Calls with an <c>out</c> argument that have been made where the text stands, and their variables.</summary>
    private readonly Dictionary<Call, string> _called = [];

    /// <summary>The value, of the expression's C# type.</summary>
    public string Value(ScalarExpression expression) => OfText(expression) ?? expression switch
    {
        New or Call or MemberRead when site is not null && !scope.IsPlain && ScalarTraits.IsInvariant(expression) && !ScalarTraits.CanThrow(expression) => scope.Invariant(expression),
        Constant constant => KernelScope.Literal(constant),
        ParameterRead parameter => "s.P" + parameter.Index,
        RowVariable row => $"{KernelApi.RowHandle}.FromBits<{row.Type.CSharp}>({Bits(row)})",
        ColumnRead { Type.Kind: TypeKind.Tabular } read => $"{KernelApi.RowHandle}.{(read.Type.IsNullable ? "FromBitsNullable" : "FromBits")}<{read.Type.CSharp}>({Bits(read)})",
        ColumnRead read => Column(read),
        ValueVariable value => ValueText(value),
        KeyRead { Type: { Kind: TypeKind.Tabular, IsNullable: false } } key => $"{KernelApi.RowHandle}.FromBits<{key.Type.CSharp}>({Bits(key)})",
        KeyRead key => Group(key.Group).Key(key.Index),
        AggregateRead read => Group(read.Group).Aggregate(read.Index),
        Subquery query when site is not null && !scope.IsPlain && ScalarTraits.IsInvariant(query) && !IsOfNothing(query) => scope.Invariant(query),
        Subquery query => new SubqueryEmitter(scope).Value(query, site),
        Binary binary => BinaryText(binary),
        Unary unary => Arithmetic(unary.Type, unary.IsChecked, OperatorSymbols.Of(unary.Operator) + (unary.IsChecked ? Computed(unary.Operand) : Value(unary.Operand))),
        Plan.Convert convert => Conversion(convert),
        Conditional conditional => ConditionalText(conditional),
        MemberRead { Member: "Item2", Instance: Call { Out: not null } call } when _called.TryGetValue(call, out string? variable) => variable,
        Coalesce coalesce => $"({Value(coalesce.Left)} ?? {Value(coalesce.Right)})",
        MemberRead { Access: { } access } member => $"{scope.Accessors.Method(access)}({(member.Instance is null ? "" : Value(member.Instance))})",
        MemberRead { Instance: { Type.Kind: TypeKind.String } text, Member: "Length" } when StoredWord(text) is { } word => $"{KernelApi.StoredText}.Length({word})",
        MemberRead { Instance: { } instance } member => $"{Value(instance)}.{member.Member}",
        MemberRead member => member.Member,
        Call call => CallText(call),
        New creation => NewText(creation, Value),
        Elements made => ElementsText(made, Value),
        With copy => $"({Value(copy.Operand)} with {{ {string.Join(", ", copy.Initializers.Select(i => $"{i.Name} = {Value(i.Value)}"))} }})",
        _ => throw new InvalidOperationException("unknown expression " + expression.GetType().Name),
    };

    /// <summary>The call for what is computed once for each text; null for other values.</summary>
    private string? OfText(ScalarExpression expression)
    {
        if (site is null || scope.IsPlain || isOfText || TextFunction.TryOf(expression) is not { } function)
            return null;
        string? word = function.Text switch
        {
            ColumnRead read => Raw(read),
            ValueVariable value when Place(value) is { Form: ValueForm.Word } place => place.Text,
            _ => null,
        };
        return word is null ? null : $"{scope.TextFunction(function)}(ref s, {word})";
    }

    /// <summary>As <see cref="Value"/>, for what the caller of the query gets: a null handle that is converted to an optional row is null there, as it is in a column of optional rows.</summary>
    public string Result(ScalarExpression expression) => expression switch
    {
        Plan.Convert { Type: { Kind: TypeKind.Tabular, IsNullable: true }, Operand.Type: { Kind: TypeKind.Tabular, IsNullable: false } } convert =>
            $"{KernelApi.RowHandle}.FromBitsNullable<{convert.Type.CSharp}>({Bits(convert.Operand)})",
        New creation when !ScalarTraits.IsInvariant(creation) => NewText(creation, Result),
        Elements made => ElementsText(made, Result),
        _ => Value(expression),
    };

    /// <summary>Whether a query has no elements, whatever the data: what is asked of it raises, and only where the value is needed.</summary>
    private static bool IsOfNothing(Subquery query) => query.Root.SelfAndInputs().Any(node => node is Filter { Predicate: Constant { Literal: "false" } });

    /// <summary>The word that stands for a row, string or null reference in memory; null when the expression has none.</summary>
    public string? TryWord(ScalarExpression expression) => expression switch
    {
        Constant { Literal: "null" } => "0UL",
        ColumnRead { Type.Kind: TypeKind.String } read => Raw(read),
        ValueVariable { Type.Kind: TypeKind.String } value when Place(value) is { Form: ValueForm.Word } place => place.Text,
        KeyRead { Type.Kind: TypeKind.String } key => Group(key.Group).KeyBits(key.Index),
        { Type.Kind: TypeKind.String } when ScalarTraits.IsInvariant(expression) && !ScalarTraits.CanThrow(expression) => scope.InvariantText(expression),
        Coalesce { Type.Kind: TypeKind.String } either when ScalarTraits.IsInvariant(either.Right) && TryWord(either.Left) is { } left && TryWord(either.Right) is { } right =>
            $"{KernelApi.KeyWords}.OrElse({left}, {right})",
        { Type: { Kind: TypeKind.Tabular, IsNullable: false } } => Bits(expression),
        Call { Instance: { Type.Kind: TypeKind.String } text } call when IsShortSubstring(call) && TryWord(text) is { } word =>
            $"{KernelApi.TextPattern}.SubstringWord({word}, {Value(call.Arguments[0])}, {Value(call.Arguments[1])}, ref s.Region)",
        _ => null,
    };

    /// <summary>A part of a text that takes no memory where it is ASCII.</summary>
    private static bool IsShortSubstring(Call call) => call.Method.EndsWith(".Substring", StringComparison.Ordinal)
        && call.Arguments.Count == 2 && call.Arguments[1] is Constant { Literal: "0" or "1" or "2" or "3" or "4" or "5" or "6" or "7" };

    /// <summary>A handle as 64 bits.</summary>
    public string Bits(ScalarExpression row) => row switch
    {
        Constant => "0UL",
        RowVariable variable => RowOf(variable) switch
        {
            SlotPlace at => $"{KernelApi.BlockHeader}.HandleOfSeen({at.Block}, (int){at.Slot})",
            LocationPlace place => $"{KernelApi.RowAccess}.HandleAt({place.Text})",
            _ => throw new InvalidOperationException("a row has no such place"),
        },
        ColumnRead read => Raw(read),
        ValueVariable value when Place(value) is { Form: ValueForm.Handle } place => place.Text,
        KeyRead key => Group(key.Group).KeyBits(key.Index),
        Plan.Convert { Operand.Type: { Kind: TypeKind.Tabular, IsNullable: false } } convert => Bits(convert.Operand),
        _ => $"{KernelApi.RowHandle}.ToBits({Value(row)})",
    };

    /// <summary>Where a row is: that of a variable, or what a checked dereference gives.</summary>
    public RowPlace RowOf(ScalarExpression row) => row switch
    {
        RowVariable variable => site!.Bindings.Rows[variable.Variable],
        _ when site is not null && site.Bindings.Located.TryGetValue(row, out string? local) => new LocationPlace(local, CanBeNull: false),
        ColumnRead read when _columns.IsDirect(read) && Loaded(read) is null =>
            new LocationPlace($"{KernelApi.RowAccess}.LocateDirect<{row.Type.CSharp}>({_columns.Word(read, RowOf(read.Row))})", CanBeNull: false),
        _ => new LocationPlace($"{KernelApi.RowAccess}.Locate<{row.Type.CSharp}>({Bits(row)})", CanBeNull: false),
    };

    private ValuePlace Place(ValueVariable value) => site!.Bindings.Values[value.Variable];

    private GroupPlace Group(int group) => site!.Bindings.Groups[group];

    private string ValueText(ValueVariable value)
    {
        ValuePlace place = Place(value);
        return place.Form switch
        {
            ValueForm.Word => TextOf(place.Text),
            ValueForm.Handle => $"{KernelApi.RowHandle}.FromBits<{value.Type.CSharp}>({place.Text})",
            ValueForm.Scaled => DecimalOf(place.Text, place.Scale),
            _ => place.Text,
        };
    }

    /// <summary>The stored value of a property: the local that holds it, or a load.</summary>
    public string Raw(ColumnRead read) => Loaded(read) ?? _columns.Raw(read, RowOf(read.Row));

    private string? Loaded(ColumnRead read) => site is not null && site.Bindings.Loaded.TryGetValue(read, out string? local) ? local : null;

    private string Column(ColumnRead read) => read.Type.Kind == TypeKind.String ? TextOf(Raw(read)) : _columns.Decode(read, Raw(read));

    private string TextOf(string word) => site?.Texts is { } shared ? shared.Decode(word) : $"{KernelApi.StringWord}.Decode({word})";

    /// <summary>A decimal as 64-bit units, if it is computed of columns, constants and integers: the fast variant gives up where they do not fit. Null for others, and for constants.</summary>
    public (string Text, int Scale)? TryScaled(ScalarExpression expression) =>
        TryBuildScaled(expression) is { } scaled and not ScaledConstant ? (Units(scaled), scaled.Scale) : null;

    /// <summary>As <see cref="TryScaled"/>, for an expression of which it is known that it has this form and scale whatever holds its parts.</summary>
    public string Units(ScalarExpression expression, int scale) => Units(TryBuildScaled(expression)!.At(scale)!);

    private ScaledExpression? TryBuildScaled(ScalarExpression expression) => site is null || !scope.MayGiveUp || expression.Type is not { Kind: TypeKind.Decimal, IsNullable: false }
        ? null
        : ScaledExpression.TryBuildOfRow(expression, scope.Plan, variable => Place(variable) is { Form: ValueForm.Scaled } place ? place.Scale : null);

    private string Units(ScaledExpression expression)
    {
        switch (expression)
        {
            case ScaledConstant constant:
                return constant.Units.ToString(System.Globalization.CultureInfo.InvariantCulture) + "L";
            case ScaledColumn column:
                return "(long)" + Raw(column.Read);
            case ScaledValue { Of: ValueVariable { Type.Kind: TypeKind.Decimal } variable }:
                return Place(variable).Text;
            case ScaledValue value:
                return $"(long){Value(value.Of)}";
            default:
                ScaledOperation operation = (ScaledOperation)expression;
                return $"{KernelApi.ScaledArithmetic}.{(operation.Aligns ? "Align" : operation.Operator.ToString())}({Units(operation.Left)}, {Units(operation.Right)}, {site!.Unfit?.Argument() ?? scope.GiveUpArgument()})";
        }
    }

    private static string DecimalOf(string units, int scale) => $"{KernelApi.ColumnValue}.Decimal({units}, {scale.ToString(System.Globalization.CultureInfo.InvariantCulture)})";

    private string BinaryText(Binary binary)
    {
        if (IsComparison(binary.Operator) && Comparison(binary) is { } comparison)
            return comparison;
        if (binary.Operator is BinaryOperator.Add or BinaryOperator.Subtract or BinaryOperator.Multiply && TryScaled(binary) is { } scaled)
            return DecimalOf(scaled.Text, scaled.Scale);
        bool isArithmetic = binary.Operator <= BinaryOperator.Remainder && binary.Operator != BinaryOperator.Remainder;
        bool isDivision = binary.Operator is BinaryOperator.Divide or BinaryOperator.Remainder;
        bool mayBeRefused = binary.Operator <= BinaryOperator.Remainder && (IsConstant(binary.Left) || (isDivision && !IsDivisor(binary.Right)));
        string right = mayBeRefused ? Computed(binary.Right) : Value(binary.Right);
        string text = $"{Value(binary.Left)} {OperatorSymbols.Of(binary.Operator)} {right}";
        return isArithmetic ? Arithmetic(binary.Type, binary.IsChecked, text) : $"({text})";
    }

    /// <summary>Comparisons that need not build C# values: words of strings and references, stored integers of dates, enums and decimals of one scale.</summary>
    private string? Comparison(Binary binary)
    {
        bool isEquality = binary.Operator is BinaryOperator.Equal or BinaryOperator.NotEqual;
        if (isEquality && binary.Left.Type.Kind == TypeKind.String && TryWord(binary.Left) is { } left && TryWord(binary.Right) is { } right)
            return $"{(binary.Operator == BinaryOperator.Equal ? "" : "!")}{KernelApi.StringWord}.Equals({left}, {right})";
        if (TextOrder(binary.Left, binary.Right) is { } order)
            return $"({order} {OperatorSymbols.Of(binary.Operator)} 0)";
        if (TextOrder(binary.Right, binary.Left) is { } mirrored)
            return $"(0 {OperatorSymbols.Of(binary.Operator)} {mirrored})";
        if (isEquality && IsRow(binary.Left) && IsRow(binary.Right))
            return $"({Bits(binary.Left)} {OperatorSymbols.Of(binary.Operator)} {Bits(binary.Right)})";
        if (StoredInteger(binary.Left) is { } a && StoredInteger(binary.Right) is { } b && a.Form == b.Form)
            return $"({a.Text} {OperatorSymbols.Of(binary.Operator)} {b.Text})";
        if (isEquality && (ComparedWithNull(binary.Left, binary.Right) ?? ComparedWithNull(binary.Right, binary.Left)) is { } compared)
            return $"({compared} is {(binary.Operator == BinaryOperator.Equal ? "" : "not ")}null)";
        BinaryOperator turned = RangeBound.Mirror(binary.Operator);
        return SumComparison(binary.Left, binary.Operator, binary.Right) ?? SumComparison(binary.Right, turned, binary.Left)
            ?? ScaledComparison(binary)
            ?? ColumnComparison(binary.Left, binary.Operator, binary.Right) ?? ColumnComparison(binary.Right, turned, binary.Left);
    }

    /// <summary>The value that is compared with null: a struct without operators has no <c>==</c> for its nullable form but with the literal.</summary>
    private string? ComparedWithNull(ScalarExpression value, ScalarExpression other) =>
        other is Constant { Literal: "null", Type: { Kind: TypeKind.Struct or TypeKind.Other, IsNullable: true } } ? Value(value) : null;

    /// <summary>The sum of a group and a value that is the same for all: as 64-bit integers, while the group's sum is one.</summary>
    private string? SumComparison(ScalarExpression sum, BinaryOperator op, ScalarExpression value)
    {
        bool isFixed = value.Type is { Kind: TypeKind.Decimal, IsNullable: false } && ScalarTraits.IsInvariant(value) && !ScalarTraits.CanThrow(value);
        if (site is null || !isFixed || sum is not AggregateRead { Type: { Kind: TypeKind.Decimal, IsNullable: false } } read || Group(read.Group).NarrowSum(read.Index) is not { } narrow)
            return null;
        string range = scope.Range(new RangeBound(op, value), narrow.Scale), not = op == BinaryOperator.NotEqual ? "!" : "";
        return $"({narrow.IsNarrow} ? {not}{range}.Contains({narrow.Units}) : {Value(sum)} {OperatorSymbols.Of(op)} {Value(value)})";
    }

    /// <summary>A column of decimals and a value that is the same for all, which may be null: as stored integers.</summary>
    private string? ColumnComparison(ScalarExpression side, BinaryOperator op, ScalarExpression value)
    {
        bool isFixed = value.Type.Kind == TypeKind.Decimal && value is not Constant { Literal: "null" } && ScalarTraits.IsInvariant(value) && !ScalarTraits.CanThrow(value);
        if (site is null || scope.IsPlain || !isFixed || FilterPlanner.UnwrapLifted(side) is not ColumnRead { Type: { Kind: TypeKind.Decimal, IsNullable: false } } read || ScaledExpression.TryColumn(read, scope.Plan) is not { } column)
            return null;
        return $"{(op == BinaryOperator.NotEqual ? "!" : "")}{scope.Range(new RangeBound(op, value), column.Scale)}.Contains({Raw(read)})";
    }

    private string? ScaledComparison(Binary binary)
    {
        if (TryBuildScaled(binary.Left) is not { } left || TryBuildScaled(binary.Right) is not { } right || (left is ScaledConstant && right is ScaledConstant))
            return null;
        int scale = Math.Max(left.Scale, right.Scale);
        return left.At(scale) is { } a && right.At(scale) is { } b ? $"({Units(a)} {OperatorSymbols.Of(binary.Operator)} {Units(b)})" : null;
    }

    /// <summary>The ordinal order of two texts where a query compares it with 0: of the result of a comparison only the sign is the same for bytes and for strings.</summary>
    private string? TextOrder(ScalarExpression comparison, ScalarExpression zero)
    {
        if (zero is not Constant { Literal: "0" } || comparison is not Call call || OrdinalOrder.TryOf(call) is not { } texts || TryWord(texts.Left) is not { } left || TryWord(texts.Right) is not { } right)
            return null;
        bool isLeftFixed = ScalarTraits.IsInvariant(texts.Left), isRightFixed = ScalarTraits.IsInvariant(texts.Right);
        if (site is null || isLeftFixed == isRightFixed)
            return $"{KernelApi.StringWord}.CompareOrdinal({left}, {right})";
        return isRightFixed ? $"{scope.TextOrder(texts.Right)}.Compare({left})" : $"-{scope.TextOrder(texts.Left)}.Compare({right})";
    }

    private static bool IsRow(ScalarExpression expression) =>
        !expression.Type.IsNullable && (expression.Type.Kind == TypeKind.Tabular || expression is Constant { Literal: "null" });

    private (string Text, string Form)? StoredInteger(ScalarExpression expression)
    {
        if (expression.Type.IsNullable)
            return null;
        if (expression is ColumnRead read && _columns.StoredForm(read) is { } form)
            return (Raw(read), form);
        bool isNamed = expression is ParameterRead or Constant or New;
        return expression.Type.Kind switch
        {
            TypeKind.DateOnly when isNamed => (Value(expression) + ".DayNumber", "date"),
            TypeKind.TimeOnly or TypeKind.TimeSpan when isNamed => (Value(expression) + ".Ticks", "ticks"),
            _ => null,
        };
    }

    private string Conversion(Plan.Convert convert)
    {
        if (convert.Operand is Constant { Literal: "null" })
            return KernelScope.Literal(new Constant(convert.Type, "null"));
        if (convert.Type.CSharp.Length == 0 || convert.Type == convert.Operand.Type || (convert.Type.IsReferenceType && convert.Type.AsNonNullable() == convert.Operand.Type.AsNonNullable()))
            return Value(convert.Operand);
        string operand = MayBeRefused(convert) ? Computed(convert.Operand) : Value(convert.Operand);
        return Arithmetic(convert.Type, convert.IsChecked, $"({convert.Type.Text}){operand}");
    }

    /// <summary>
    /// An operand that is no constant to C#, whose compiler computes what is made of constants and refuses what overflows or divides by zero; in a query the
    /// constants may have come together from several lambdas, and then the exception is the answer.
    /// </summary>
    private string Computed(ScalarExpression operand) => IsConstant(operand) ? scope.Variable(operand) : Value(operand);

    private static bool IsConstant(ScalarExpression expression) => expression switch
    {
        Constant constant => constant.Literal != "null" && constant.Type.Kind != TypeKind.String,
        Plan.Convert convert => !MayBeRefused(convert) && IsConstant(convert.Operand),
        Unary unary => !unary.IsChecked && IsConstant(unary.Operand),
        _ => false,
    };

    private static bool MayBeRefused(Plan.Convert convert) => convert.IsChecked || convert.Operand.Type.Kind == TypeKind.Decimal;

    /// <summary>Whether C# sees that an integer is not zero.</summary>
    private static bool IsDivisor(ScalarExpression expression) => expression is not Constant constant ? !IsConstant(expression) : constant.Literal.Any(c => c is >= '1' and <= '9');

    private static string Arithmetic(PlanType type, bool isChecked, string text)
    {
        bool isIntegral = ScalarTraits.IsIntegral(type.Kind) || type.Kind is TypeKind.Char or TypeKind.Enum or TypeKind.Int128 or TypeKind.UInt128;
        return isIntegral ? $"{(isChecked ? "checked" : "unchecked")}({text})" : $"({text})";
    }

    private string CallText(Call call)
    {
        if (call.Instance is { Type.Kind: TypeKind.String } text && !ScalarTraits.IsInvariant(text) && TryWord(text) is { } word && TextSearch(call, word) is { } search)
            return search;
        if (StoredTextCall(call) is { } ofStored)
            return ofStored;
        if (ListSearch(call) is { } isListed)
            return isListed;
        if (call is { Method: "this[]", Instance: { } indexed })
            return $"{Value(indexed)}[{string.Join(", ", call.Arguments.Select(Value))}]";
        if (call.Out is null)
            return Invocation(call, variable: null);
        string variable = "out" + scope.Number();
        return $"({Invocation(call, variable)}, {variable})";
    }

    /// <summary>The call itself; what it gives back by an <c>out</c> argument goes into the variable.</summary>
    private string Invocation(Call call, string? variable)
    {
        string? instance = call.Instance is null ? null : Value(call.Instance);
        List<string> arguments = [.. call.Arguments.Select(Value)];
        if (variable is not null)
            arguments.Insert(call.OutAt, $"out {call.Out!.Text} {variable}");
        if (call.Access is { } access)
            return $"{scope.Accessors.Method(access)}({string.Join(", ", instance is null ? arguments : arguments.Prepend(instance))})";
        return $"{(instance is null ? call.Method : $"{instance}.{MethodNames.Last(call.Method)}")}({string.Join(", ", arguments)})";
    }

    /// <summary><c>d.TryGetValue(key, out value) ? value : 0</c> makes one call: where its result is tested, what it gave back is there.</summary>
    private string ConditionalText(Conditional conditional)
    {
        ScalarExpression test = conditional.Test is Unary { Operator: UnaryOperator.Not, Operand: var operand } ? operand : conditional.Test;
        if (test is not MemberRead { Member: "Item1", Instance: Call { Out: not null } call } || _called.ContainsKey(call))
            return $"({Value(conditional.Test)} ? {Value(conditional.IfTrue)} : {Value(conditional.IfFalse)})";
        string variable = "out" + scope.Number();
        string made = $"{(ReferenceEquals(test, conditional.Test) ? "" : "!")}{Invocation(call, variable)}";
        _called.Add(call, variable);
        string text = $"({made} ? {Value(conditional.IfTrue)} : {Value(conditional.IfFalse)})";
        _called.Remove(call);
        return text;
    }

    /// <summary>Whether a sequence that is a parameter has a stored text or a number; null for other calls.</summary>
    private string? ListSearch(Call call)
    {
        if (site is null || call.Arguments.Count != 2 || !call.Method.StartsWith("global::System.Linq.Enumerable.Contains<", StringComparison.Ordinal) || call.Arguments[0] is not ParameterRead list)
            return null;
        ScalarExpression value = call.Arguments[1];
        if (value.Type.IsNullable && value.Type.Kind != TypeKind.String)
            return null;
        if (value.Type.Kind == TypeKind.String && TryWord(value) is { } word)
            return $"{scope.Listed(list, KernelApi.ListedTexts)}.Contains({word})";
        return ScalarTraits.IsIntegral(value.Type.Kind) || value.Type.Kind == TypeKind.Char
            ? $"{scope.Listed(list, $"{KernelApi.ListedNumbers}<{value.Type.CSharp}>")}.Contains({Value(value)})"
            : null;
    }

    /// <summary>The word of a stored text that is asked something for which no string has to be made; null where the string is there, and in the plain variant.</summary>
    private string? StoredWord(ScalarExpression text) => site is null || scope.IsPlain || ScalarTraits.IsInvariant(text) ? null : TryWord(text);

    /// <summary>Questions about stored texts for which no string has to be made; null for other calls.</summary>
    private string? StoredTextCall(Call call)
    {
        bool isOfText = call.Instance is { Type.Kind: TypeKind.String }, isStatic = call.Instance is null && MethodNames.IsOfString(call.Method);
        EquatableArray<ScalarExpression> given = call.Arguments;
        string? method = (MethodNames.Last(call.Method), given.Count) switch
        {
            ("this[]", 1) when isOfText && given[0].Type == PlanType.Int32 => "CharAt",
            ("StartsWith" or "EndsWith", 1) when isOfText && given[0].Type.Kind == TypeKind.String => MethodNames.Last(call.Method),
            ("StartsWith" or "EndsWith" or "Contains" or "Equals", 2) when isOfText && given[0].Type.Kind == TypeKind.String && IsComparisonOfTexts(given[1]) => MethodNames.Last(call.Method),
            ("IsNullOrEmpty" or "IsNullOrWhiteSpace", 1) when isStatic => MethodNames.Last(call.Method),
            ("Equals", 3) when isStatic && given[1].Type.Kind == TypeKind.String && IsComparisonOfTexts(given[2]) => "AreEqual",
            _ => null,
        };
        if (method is null || StoredWord(call.Instance ?? given[0]) is not { } word)
            return null;
        return $"{KernelApi.StoredText}.{method}({string.Join(", ", given.Skip(isStatic ? 1 : 0).Select(Value).Prepend(word))})";
    }

    private static bool IsComparisonOfTexts(ScalarExpression argument) => argument is Constant constant && constant.Literal.StartsWith("global::System.StringComparison.", StringComparison.Ordinal);

    /// <summary>Ordinal searches in stored texts, which need no strings; null for other calls.</summary>
    private string? TextSearch(Call call, string word)
    {
        if ((MethodNames.Last(call.Method), call.Arguments.Count) is ("Substring", 2))
            return $"{KernelApi.TextPattern}.Substring({word}, {Value(call.Arguments[0])}, {Value(call.Arguments[1])})";
        if (TryFindSearch(call) is not var (pattern, method, _))
            return null;
        if (site?.Bindings.Beside.TryGetValue(call, out string? beside) == true)
            return $"{beside}(next, {word})";
        return $"{pattern(call.Arguments[0])}.{method}({word}{(call.Arguments.Count == 3 ? ", " + Value(call.Arguments[1]) : "")})";
    }

    /// <summary>The pattern of a search that can be made for a whole batch, and the method that gives what was found; null for other calls.</summary>
    public (string Pattern, string Beside)? TryFindAhead(Call call) => TryFindSearch(call) is (var pattern, _, { } beside) ? (pattern(call.Arguments[0]), beside) : null;

    /// <summary>How stored texts are searched ordinally for one that is the same for all rows: what makes the pattern, its method, and the method for what a pass over the batch has found, if there is such a pass; null for other calls.</summary>
    private (Func<ScalarExpression, string> Pattern, string Method, string? Beside)? TryFindSearch(Call call) =>
        OrdinalSearch.TryOf(call) is { } search ? (search.IsOfPart ? scope.Part : scope.Pattern, search.Method, search.Beside) : null;

    private string NewText(New creation, Func<ScalarExpression, string> part)
    {
        string arguments = string.Join(", ", creation.Arguments.Select(part));
        string initializers = string.Join(", ", creation.Initializers.Select(i => $"{i.Name} = {part(i.Value)}"));
        return creation.Type.Kind switch
        {
            TypeKind.Anonymous => $"new {{ {initializers} }}",
            TypeKind.Tuple => $"({arguments})",
            _ when creation.Type.CSharp.Length == 0 => TypeWitness.Pair(arguments),
            _ when creation.Initializers.Count == 0 => $"new {creation.Type.CSharp}({arguments})",
            _ => $"new {creation.Type.CSharp}({arguments}) {{ {initializers} }}",
        };
    }

    private static string ElementsText(Elements made, Func<ScalarExpression, string> part) => $"(new {made.Type.CSharp} {{ {string.Join(", ", made.Items.Select(part))} }})";

    public static bool IsComparison(BinaryOperator op) => op >= BinaryOperator.Equal;
}
