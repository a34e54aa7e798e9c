using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Generator;

/// <summary>What the generator reads of one type.</summary>
/// <param name="Declaration">What to generate; null when the type cannot have a generated half.</param>
/// <param name="Problems">The rules that the type breaks.</param>
internal sealed record TabularReading(TabularDeclaration? Declaration, EquatableArray<TabularProblem> Problems)
{
    /// <summary>What is read where another part of the type has been read.</summary>
    public static TabularReading Nothing { get; } = new(null, []);
}
