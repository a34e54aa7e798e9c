namespace Smc.QueryCompiler.Fuzz.Queries;

/// <summary>The values that a column can hold, apart from references to rows.</summary>
internal enum ScalarKind
{
    Bool, SByte, Byte, Short, UShort, Int, UInt, Long, ULong, Int128, Half, Float, Double, Decimal, Char, String,
    DateOnly, TimeOnly, DateTime, DateTimeOffset, TimeSpan, Guid, Enum, Struct,
}
