namespace Smc.QueryCompiler.Fuzz.Running;

/// <summary>What a query gave, as text that keeps every difference: scales of decimals, bits of floating-point numbers, kinds of times, types of exceptions.</summary>
internal sealed record Answer(string Text, bool IsException);
