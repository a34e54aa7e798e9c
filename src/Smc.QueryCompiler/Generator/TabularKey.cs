using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>A key that a tabular type declares.</summary>
/// <param name="Names">The names of its properties.</param>
/// <param name="IsUnique">Whether no two rows have it; otherwise it has an ordered index.</param>
internal sealed record TabularKey(EquatableArray<string> Names, bool IsUnique);
