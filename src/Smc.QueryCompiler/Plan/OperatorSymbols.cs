namespace Smc.QueryCompiler.Plan;

/// <summary>How C# writes the operators.</summary>
internal static class OperatorSymbols
{
    public static string Of(UnaryOperator op) => op switch
    {
        UnaryOperator.Plus => "+",
        UnaryOperator.Negate => "-",
        UnaryOperator.Not => "!",
        _ => "~",
    };

    public static string Of(BinaryOperator op) => op switch
    {
        BinaryOperator.Add => "+",
        BinaryOperator.Subtract => "-",
        BinaryOperator.Multiply => "*",
        BinaryOperator.Divide => "/",
        BinaryOperator.Remainder => "%",
        BinaryOperator.And => "&",
        BinaryOperator.Or => "|",
        BinaryOperator.Xor => "^",
        BinaryOperator.ShiftLeft => "<<",
        BinaryOperator.ShiftRight => ">>",
        BinaryOperator.UnsignedShiftRight => ">>>",
        BinaryOperator.AndAlso => "&&",
        BinaryOperator.OrElse => "||",
        BinaryOperator.Equal => "==",
        BinaryOperator.NotEqual => "!=",
        BinaryOperator.LessThan => "<",
        BinaryOperator.LessThanOrEqual => "<=",
        BinaryOperator.GreaterThan => ">",
        _ => ">=",
    };
}
