using System.Globalization;
using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.CodeGen;

/// <summary>
/// Text of <see cref="ScaledExpression"/>s: per row as <c>long</c>, per four rows as vectors, and their bounds. Equal parts are computed once, and a column is loaded once,
/// whatever types its value is widened to: all of them are the same 64-bit integer.
/// </summary>
/// <param name="scope">The variant of the kernel.</param>
/// <param name="site">Where the row is whose values are computed; null for whole batches and bounds.</param>
internal sealed class ScaledEmitter(KernelScope scope, Site? site = null)
{
    private readonly Dictionary<ColumnShape, string> _starts = [];
    private readonly Dictionary<ScaledExpression, string> _rowValues = [];
    private readonly Dictionary<ScaledExpression, string> _vectorValues = [];
    private readonly Dictionary<string, string> _bounds = [];
    private readonly Dictionary<ScaledExpression, string> _ranges = [];

    /// <summary>Declares what the value of a row needs and returns its name.</summary>
    public string Row(ScaledExpression expression, CodeWriter writer)
    {
        if (expression is ScaledConstant constant)
            return Number(constant.Units) + "L";
        expression = Unwidened(expression);
        if (_rowValues.TryGetValue(expression, out string? known))
            return known;
        string text = expression switch
        {
            ScaledColumn column => $"(long){new ScalarEmitter(scope, site).Raw(column.Read)}",
            ScaledOperation operation => $"unchecked({Row(operation.Left, writer)} {OperatorSymbols.Of(operation.Operator)} {Row(operation.Right, writer)})",
            _ => throw new InvalidOperationException("unknown scaled expression"),
        };
        string name = Name(expression);
        writer.Line($"long {name} = {text};");
        return _rowValues[expression] = name;
    }

    /// <summary>Declares, before the loop over a batch, where columns begin and constants as vectors.</summary>
    public void DeclareVectors(IEnumerable<ScaledExpression> expressions, CodeWriter writer)
    {
        foreach (ScaledExpression part in expressions.SelectMany(e => e.Parts).Distinct())
        {
            if (part is ScaledColumn column && !_starts.ContainsKey(column.Column))
            {
                string start = "at" + column.Column.Name;
                writer.Line($"ulong {start} = {SlotPlace.BlockName} + {scope.Layout.Offset(column.Shape, column.Column)} + ((ulong)first * {scope.Layout.Stride(column.Shape, column.Column)});");
                _starts[column.Column] = start;
            }
            else if (part is ScaledConstant constant && !_vectorValues.ContainsKey(part))
            {
                string name = Name(part);
                writer.Line($"global::System.Runtime.Intrinsics.Vector256<long> {name} = global::System.Runtime.Intrinsics.Vector256.Create({Number(constant.Units)}L);");
                _vectorValues[part] = name;
            }
        }
    }

    /// <summary>Declares what the values of rows <c>i</c> to <c>i + 3</c> need and returns their name.</summary>
    public string Vector(ScaledExpression expression, CodeWriter writer)
    {
        expression = Unwidened(expression);
        if (_vectorValues.TryGetValue(expression, out string? known))
            return known;
        string text = expression switch
        {
            ScaledColumn column => $"{KernelApi.KernelMemory}.LoadInt64x4<{ColumnEmitter.StorageType(column.Column)}>({_starts[column.Column]} + (i * {scope.Layout.Stride(column.Shape, column.Column)}))",
            ScaledOperation { Operator: BinaryOperator.Multiply } product => $"{KernelApi.KernelMemory}.MultiplyInt32({Vector(product.Left, writer)}, {Vector(product.Right, writer)})",
            ScaledOperation operation => $"{Vector(operation.Left, writer)} {OperatorSymbols.Of(operation.Operator)} {Vector(operation.Right, writer)}",
            _ => throw new InvalidOperationException("unknown scaled expression"),
        };
        string name = Name(expression);
        writer.Line($"global::System.Runtime.Intrinsics.Vector256<long> {name} = {text};");
        return _vectorValues[expression] = name;
    }

    /// <summary>Declares what the bound of the absolute value in a block needs and returns its name.</summary>
    public string Bound(ScaledExpression expression, CodeWriter writer)
    {
        string text = expression switch
        {
            ScaledConstant constant => Number(constant.Units).TrimStart('-') + ".0",
            ScaledColumn column => $"{KernelApi.Magnitude}.OfZone({SlotPlace.BlockName} + {scope.Layout.Zone(column.Shape, column.Column)})",
            ScaledOperation { Operator: BinaryOperator.Multiply } product => $"{Bound(product.Left, writer)} * {Bound(product.Right, writer)}",
            ScaledOperation operation => $"{Bound(operation.Left, writer)} + {Bound(operation.Right, writer)}",
            _ => throw new InvalidOperationException("unknown scaled expression"),
        };
        if (expression is ScaledConstant)
            return text;
        if (_bounds.TryGetValue(text, out string? known))
            return known;
        string name = "most" + _bounds.Count.ToString(CultureInfo.InvariantCulture);
        writer.Line($"double {name} = {text};");
        return _bounds[text] = name;
    }

    /// <summary>Declares what the range of the value in a block needs and returns its name.</summary>
    public string Range(ScaledExpression expression, CodeWriter writer)
    {
        if (expression is ScaledConstant constant)
            return $"{KernelApi.UnitsRange}.Of({Number(constant.Units)})";
        expression = Unwidened(expression);
        if (_ranges.TryGetValue(expression, out string? known))
            return known;
        string text = expression switch
        {
            ScaledColumn column => $"{KernelApi.UnitsRange}.OfZone({SlotPlace.BlockName} + {scope.Layout.Zone(column.Shape, column.Column)})",
            ScaledOperation operation => $"{KernelApi.UnitsRange}.{operation.Operator}({Range(operation.Left, writer)}, {Range(operation.Right, writer)})",
            _ => throw new InvalidOperationException("unknown scaled expression"),
        };
        string name = "range" + _ranges.Count.ToString(CultureInfo.InvariantCulture);
        writer.Line($"{KernelApi.UnitsRange} {name} = {text};");
        return _ranges[expression] = name;
    }

    /// <summary>Whether no value in a block is negative, as text over its zone maps.</summary>
    public string IsNeverNegative(ScaledExpression expression) => expression switch
    {
        ScaledConstant constant => constant.Units >= 0 ? "true" : "false",
        ScaledColumn column => $"{KernelApi.KernelMemory}.Read<long>({SlotPlace.BlockName} + {scope.Layout.Zone(column.Shape, column.Column)}) >= 0",
        ScaledOperation { Operator: BinaryOperator.Subtract } => "false",
        ScaledOperation operation => $"({IsNeverNegative(operation.Left)} && {IsNeverNegative(operation.Right)})",
        _ => "false",
    };

    private static ScaledExpression Unwidened(ScaledExpression expression) =>
        expression is ScaledColumn column ? column with { Kind = column.Column.Type.Kind } : expression;

    private string Name(ScaledExpression expression) =>
        expression is ScaledColumn column ? $"value{column.Column.Name}_{scope.Number()}" : "value" + scope.Number();

    private static string Number(long value) => value.ToString(CultureInfo.InvariantCulture);
}
