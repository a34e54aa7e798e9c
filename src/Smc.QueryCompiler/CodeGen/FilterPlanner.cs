using Smc.QueryCompiler.Physical;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Sorts conditions by how they can be tested. A condition that cannot raise may be tested before or after others that cannot;
/// from the first that can raise on, the order of the query is kept. Conditions on referenced rows count as such, but evaluated ahead
/// they raise nothing: a row whose reference gives no answer makes the fast kernel give up.
/// Passes load a value each for themselves, so conditions on one read of the query's text are tested together as well, on one load; those of them on referenced rows again, with the others.
/// </summary>
internal sealed class FilterPlanner(KernelScope scope)
{
    public FilterPlan Make(IReadOnlyList<ScalarExpression> conditions, Scan scan, bool allowNavigation)
    {
        List<(ScalarExpression Column, RangeBound Bound)> ranges = [];
        List<TextFilter> texts = [];
        List<(ColumnRead Root, ScalarExpression Condition)> navigations = [];
        List<ScalarExpression> selections = [], late = [];
        foreach (ScalarExpression condition in conditions)
        {
            if (late.Count > 0)
                late.Add(condition);
            else if (TryRange(condition, scan) is { } range)
                ranges.Add(range);
            else if (TryTexts(condition, scan) is { } filter)
                texts.Add(filter);
            else if (!CanRaise(condition, scan))
                selections.Add(condition);
            else if (allowNavigation && TryRoot(condition, scan) is { } root)
                navigations.Add((root, condition));
            else
                late.Add(condition);
        }

        foreach (List<ScalarExpression> shared in SharingPlaces(conditions))
        {
            List<ScalarExpression> passes = [.. shared.Where(c => !CanRaise(c, scan) && !late.Exists(l => ReferenceEquals(l, c)))];
            if (shared.Exists(c => late.Exists(l => ReferenceEquals(l, c))))
                late.InsertRange(0, shared.Where(c => !late.Exists(l => ReferenceEquals(l, c))).ToList());
            else if (passes.Exists(c => !IsNullTest(c)) && shared.Exists(c => navigations.Exists(n => ReferenceEquals(n.Condition, c))))
                late.AddRange(shared);
            else if (passes.Count > 1 && !passes.TrueForAll(c => TryRange(c, scan) is not null))
                Join(selections, passes);
        }

        // What ranges and texts leave is better selected first.
        List<ScalarExpression> pairs = ranges.Count + texts.Count > 0 ? [] : selections.FindAll(selection => TryPair(selection, scan) is not null);
        selections.RemoveAll(pairs.Contains);
        IReadOnlyList<NavigationFilter> asked = Group(navigations);
        return new FilterPlan(Group(ranges), [.. pairs.Select(pair => TryPair(pair, scan)!)], texts, asked, selections, late, EndPair(late, asked, scan));
    }

    /// <summary>
    /// Those of the late conditions that concern two rows behind references which are asked about anyway, the same two. None behind one that can raise and concerns others: for rows that are
    /// dropped it would not be evaluated.
    /// </summary>
    private EndPairFilter? EndPair(IReadOnlyList<ScalarExpression> late, IReadOnlyList<NavigationFilter> asked, Scan scan)
    {
        EndPairFilter? pair = null;
        if (scan.Parameter < 0 || !scope.MayGiveUp)
            return pair;
        foreach (ScalarExpression condition in late)
        {
            if (new ReferenceEnds(scope, scan).TryPair([.. pair?.Conditions ?? [], condition], asked) is { } found)
                pair = found;
            else if (CanRaise(condition, scan))
                break;
        }

        return pair;
    }

    /// <summary>
    /// Whether the test of a condition can raise. Decimals of the scan's rows whose scale is known are computed as integers: where one does not fit, the kernel gives up instead. Not for rows that
    /// are tested though nobody may ask for them.
    /// </summary>
    private bool CanRaise(ScalarExpression condition, Scan scan) => ScalarTraits.CanThrow(condition) && condition switch
    {
        Binary { Operator: BinaryOperator.AndAlso or BinaryOperator.OrElse } both => CanRaise(both.Left, scan) || CanRaise(both.Right, scan),
        Unary { Operator: UnaryOperator.Not } not => CanRaise(not.Operand, scan),
        Binary { Operator: >= BinaryOperator.Equal } comparison => scan.Parameter < 0 || !scope.MayGiveUp || !IsOfIntegers(comparison),
        _ => true,
    };

    /// <summary>Whether decimals are compared as integers that columns of the row are computed into.</summary>
    private bool IsOfIntegers(Binary comparison)
    {
        if (Scaled(comparison.Left) is not { } left || Scaled(comparison.Right) is not { } right)
            return false;
        int scale = Math.Max(left.Scale, right.Scale);
        return left.At(scale) is not null && right.At(scale) is not null;

        ScaledExpression? Scaled(ScalarExpression side) => side.Type is { Kind: TypeKind.Decimal, IsNullable: false } && ScaledExpression.TryBuildOfRow(side, scope.Plan, static _ => null) is { } scaled
            && scaled.Parts.All(part => part is not (ScaledValue or ScaledColumn { Read.Row: not RowVariable }) || (part is ScaledValue value && !ScalarTraits.CanThrow(value.Of))) ? scaled : null;
    }

    /// <summary>The conditions that depend on one referenced row each, by reference, and those that do not, in their order.</summary>
    public (IReadOnlyList<NavigationFilter> Navigations, IReadOnlyList<ScalarExpression> Others) Divide(IReadOnlyList<ScalarExpression> conditions, Scan scan)
    {
        List<(ColumnRead Root, ScalarExpression Condition)> navigations = [];
        List<ScalarExpression> others = [];
        foreach (ScalarExpression condition in conditions)
        {
            if (TryRoot(condition, scan) is { } root)
                navigations.Add((root, condition));
            else
                others.Add(condition);
        }

        return (Group(navigations), others);
    }

    /// <summary>Whether the condition depends on one referenced row alone.</summary>
    public bool IsNavigation(ScalarExpression condition, Scan scan) => TryRoot(condition, scan) is not null;

    /// <summary>Whether a reference is compared with null: one that leads to a row is not null.</summary>
    private static bool IsNullTest(ScalarExpression condition) =>
        condition is Binary { Operator: BinaryOperator.NotEqual, Left: ColumnRead { Type.Kind: TypeKind.Tabular }, Right: Constant };

    /// <summary>Tests conditions on one read together. Those that are passes of their own stay such, too.</summary>
    private static void Join(List<ScalarExpression> selections, List<ScalarExpression> shared)
    {
        selections.RemoveAll(selection => shared.Exists(c => ReferenceEquals(c, selection)));
        selections.Add(Conjunctions.Join(shared));
    }

    /// <summary>The conditions, those in one list that share a read with another of it.</summary>
    private static List<List<ScalarExpression>> SharingPlaces(IReadOnlyList<ScalarExpression> conditions)
    {
        List<ScalarExpression> left = [.. conditions];
        List<List<ScalarExpression>> lists = [];
        while (left.Count > 0)
        {
            List<ScalarExpression> together = [left[0]];
            left.RemoveAt(0);
            for (int i = 0; i < together.Count; i++)
            {
                together.AddRange(left.Where(c => PlacedReads.Share(c, together[i])).ToList());
                left.RemoveAll(c => together.Exists(t => ReferenceEquals(t, c)));
            }

            // In the order of the text, in which one may guard another.
            lists.Add([.. conditions.Where(c => together.Exists(t => ReferenceEquals(t, c)))]);
        }

        return lists;
    }

    private IReadOnlyList<RangeFilter> Group(List<(ScalarExpression Column, RangeBound Bound)> ranges) =>
        [.. ranges.GroupBy(r => r.Column).Select(g =>
        {
            ColumnRead read = (ColumnRead)g.Key;
            TabularShape shape = scope.Plan.Shape(read.Row.Type.CSharp);
            return new RangeFilter(shape, shape.Column(read.Column), [.. g.Select(r => r.Bound)]);
        }).OrderBy(r => r.Column.Width)];

    private IReadOnlyList<NavigationFilter> Group(List<(ColumnRead Root, ScalarExpression Condition)> navigations) =>
        [.. navigations.GroupBy(n => n.Root).Select(g =>
        {
            int variable = scope.NewVariable();
            RowVariable target = new(g.Key.Type, variable, g.Key.Column);
            return new NavigationFilter(
                g.Key, scope.Plan.Shape(g.Key.Type.CSharp), [.. g.Select(n => n.Condition.Replace(e => e == g.Key ? target : null))], variable);
        })];

    private (ScalarExpression Column, RangeBound Bound)? TryRange(ScalarExpression condition, Scan scan)
    {
        switch (condition)
        {
            case ColumnRead { Type: { Kind: TypeKind.Boolean, IsNullable: false } } read when IsRangeColumn(read, scan):
                return (read, new RangeBound(BinaryOperator.Equal, null, true));
            case Unary { Operator: UnaryOperator.Not, Operand: ColumnRead { Type: { Kind: TypeKind.Boolean, IsNullable: false } } read } when IsRangeColumn(read, scan):
                return (read, new RangeBound(BinaryOperator.Equal, null, false));
            case Binary { Operator: >= BinaryOperator.Equal and not BinaryOperator.NotEqual } binary:
                return TryRange(binary.Left, binary.Operator, binary.Right, scan) ?? TryRange(binary.Right, RangeBound.Mirror(binary.Operator), binary.Left, scan);
            default:
                return null;
        }
    }

    private (ScalarExpression Column, RangeBound Bound)? TryRange(ScalarExpression side, BinaryOperator op, ScalarExpression value, Scan scan)
    {
        if (UnwrapLifted(side) is not ColumnRead read || !IsRangeColumn(read, scan) || !ScalarTraits.IsInvariant(value) || value is Constant { Literal: "null" })
            return null;
        TypeKind kind = value.Type.Kind;
        bool fits = kind == TypeKind.Decimal
            ? read.Type.Kind == TypeKind.Decimal || ScalarTraits.IsIntegral(read.Type.Kind)
            : read.Type.Kind != TypeKind.Decimal && kind != TypeKind.UInt64 && (ScalarTraits.IsIntegral(kind) || kind == read.Type.Kind);
        return fits ? (read, new RangeBound(op, value)) : null;
    }

    /// <summary>The column under conversions that keep values as they are.</summary>
    public static ScalarExpression Unwrap(ScalarExpression side) =>
        side is Plan.Convert { Type.IsNullable: false } convert && !convert.Operand.Type.IsNullable && IsWidening(convert.Operand.Type.Kind, convert.Type.Kind)
            ? Unwrap(convert.Operand)
            : side;

    /// <summary>As <see cref="Unwrap"/>, also of a value that is compared with one that may be null.</summary>
    public static ScalarExpression UnwrapLifted(ScalarExpression side) =>
        side is Plan.Convert { Type.IsNullable: true } lifted && !lifted.Operand.Type.IsNullable && (lifted.Operand.Type == lifted.Type.AsNonNullable() || IsWidening(lifted.Operand.Type.Kind, lifted.Type.Kind))
            ? Unwrap(lifted.Operand)
            : Unwrap(side);

    /// <summary>As <see cref="UnwrapLifted"/>, also of a value that may be null itself.</summary>
    public static ScalarExpression UnwrapNullable(ScalarExpression side) =>
        side is Plan.Convert { Type.IsNullable: true, Operand.Type.IsNullable: true } widened && IsWidening(widened.Operand.Type.Kind, widened.Type.Kind) ? UnwrapNullable(widened.Operand) : UnwrapLifted(side);

    private static bool IsWidening(TypeKind from, TypeKind to) => to switch
    {
        TypeKind.Int32 => from is TypeKind.SByte or TypeKind.Byte or TypeKind.Int16 or TypeKind.UInt16 or TypeKind.Char,
        TypeKind.Int64 => from is TypeKind.SByte or TypeKind.Byte or TypeKind.Int16 or TypeKind.UInt16 or TypeKind.Char or TypeKind.Int32 or TypeKind.UInt32,
        TypeKind.Decimal => ScalarTraits.IsIntegral(from),
        _ => false,
    };

    private bool IsRangeColumn(ColumnRead read, Scan scan)
    {
        if (read.Row is not RowVariable row || row.Variable != scan.Variable)
            return false;
        ColumnShape column = scope.Plan.Shape(scan.Shape).Column(read.Column);
        bool isOrdered = ScalarTraits.IsIntegral(column.Type.Kind)
            || column.Type.Kind is TypeKind.Boolean or TypeKind.Char or TypeKind.Decimal or TypeKind.DateOnly or TypeKind.TimeOnly or TypeKind.TimeSpan or TypeKind.Enum;
        return isOrdered && column.NullBitmapOffset < 0 && column.HasZoneMap && ColumnEmitter.IsStoredInteger(column);
    }

    /// <summary>The comparison of a condition, if it is one of two columns that are stored as integers of one kind.</summary>
    private PairFilter? TryPair(ScalarExpression condition, Scan scan)
    {
        if (condition is not Binary binary || PairColumn(binary.Left, scan) is not { } left || PairColumn(binary.Right, scan) is not { } right
            || left.Storage != right.Storage || left.Scale != right.Scale || left.Type != right.Type)
            return null;
        return binary.Operator switch
        {
            BinaryOperator.LessThan => new PairFilter(left, "KeepLess", right),
            BinaryOperator.LessThanOrEqual => new PairFilter(left, "KeepLessOrEqual", right),
            BinaryOperator.GreaterThan => new PairFilter(right, "KeepLess", left),
            BinaryOperator.GreaterThanOrEqual => new PairFilter(right, "KeepLessOrEqual", left),
            BinaryOperator.Equal => new PairFilter(left, "KeepEqual", right),
            BinaryOperator.NotEqual => new PairFilter(left, "KeepNotEqual", right),
            _ => null,
        };
    }

    private ColumnShape? PairColumn(ScalarExpression side, Scan scan)
    {
        if (Unwrap(side) is not ColumnRead { Row: RowVariable row } read || row.Variable != scan.Variable)
            return null;
        ColumnShape column = scope.Plan.Shape(scan.Shape).Column(read.Column);
        bool isOrdered = ScalarTraits.IsIntegral(column.Type.Kind)
            || column.Type.Kind is TypeKind.Char or TypeKind.Decimal or TypeKind.DateOnly or TypeKind.TimeOnly or TypeKind.TimeSpan or TypeKind.Enum;
        return isOrdered && column.NullBitmapOffset < 0 && ColumnEmitter.IsStoredInteger(column) ? column : null;
    }

    /// <summary>The reference column of the scan through which alone the condition, which is pure, reads the row.</summary>
    private ColumnRead? TryRoot(ScalarExpression condition, Scan scan)
    {
        ColumnRead? root = null;
        return Purity.IsPure(condition) && OnlyReadsThroughRoot(condition) ? root : null;

        bool OnlyReadsThroughRoot(ScalarExpression expression)
        {
            if (expression is ColumnRead { Row: ColumnRead { Row: RowVariable row, Type.Kind: TypeKind.Tabular } reference } && row.Variable == scan.Variable)
            {
                root ??= reference;
                // The zone maps of the column tell which collection it leads to.
                return root == reference && scope.Plan.Shape(scan.Shape).Column(reference.Column).HasZoneMap;
            }

            return expression is not RowVariable && expression.Children().All(OnlyReadsThroughRoot);
        }
    }

    /// <summary>One column compared with texts: <c>==</c>, <c>!=</c>, or several <c>==</c> joined by <c>||</c>.</summary>
    private TextFilter? TryTexts(ScalarExpression condition, Scan scan)
    {
        switch (condition)
        {
            case Binary { Operator: BinaryOperator.Equal or BinaryOperator.NotEqual } binary:
                return TryText(binary.Left, binary.Right, scan, binary.Operator) ?? TryText(binary.Right, binary.Left, scan, binary.Operator);
            case Binary { Operator: BinaryOperator.OrElse } either
                when TryTexts(either.Left, scan) is { IsMember: true } left && TryTexts(either.Right, scan) is { IsMember: true } right && left.Column == right.Column:
                return left with { Texts = [.. left.Texts, .. right.Texts] };
            default:
                return null;
        }
    }

    private TextFilter? TryText(ScalarExpression side, ScalarExpression text, Scan scan, BinaryOperator op)
    {
        if (side is not ColumnRead { Type.Kind: TypeKind.String, Row: RowVariable row } read || row.Variable != scan.Variable)
            return null;
        bool isFixed = text.Type.Kind == TypeKind.String && ScalarTraits.IsInvariant(text) && !ScalarTraits.CanThrow(text);
        return isFixed ? new TextFilter(scope.Plan.Shape(scan.Shape).Column(read.Column), [text], op == BinaryOperator.Equal) : null;
    }
}
