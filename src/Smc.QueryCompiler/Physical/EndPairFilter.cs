using Smc.QueryCompiler.Plan;

namespace Smc.QueryCompiler.Physical;

/// <summary>Conditions on the rows at the ends of two paths of references. Where these are rows of small collections, they are asked once for each pair of them, and rows of the scan are dropped by two numbers.</summary>
/// <param name="Left">One end.</param>
/// <param name="Right">The other.</param>
/// <param name="Conditions">The conditions, of the scanned row, in their order.</param>
internal sealed record EndPairFilter(ReferenceEnd Left, ReferenceEnd Right, IReadOnlyList<ScalarExpression> Conditions)
{
    /// <summary>The conditions of the two rows, as one.</summary>
    public ScalarExpression OfEnds() => Conjunctions.Join(Conditions).Replace(part => part.Equals(Left.Read) ? Left.Row : part.Equals(Right.Read) ? Right.Row : null);

    /// <summary>How it is tested.</summary>
    public string Describe() =>
        $"{PlanPrinter.Print(Left.Read)} with {PlanPrinter.Print(Right.Read)}: asked once for each pair of them, where they are few; a byte by dense id tells them";
}

/// <summary>The row at the end of a path of references that begins at a scanned row.</summary>
/// <param name="Root">The reference column of the scanned row, behind which conditions are asked once for each row.</param>
/// <param name="Read">What reads the last reference of the path.</param>
/// <param name="Path">The reference columns behind the root, in order; none if the path ends there.</param>
/// <param name="Row">The row variable that stands for the row at the end.</param>
internal sealed record ReferenceEnd(ColumnRead Root, ColumnRead Read, IReadOnlyList<ColumnRead> Path, RowVariable Row);
