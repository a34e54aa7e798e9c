namespace Smc.Collections.Kernels;

/// <summary>How many rows an index may look at to find the first ones of an order, where a scan would read all.</summary>
/// <param name="InVain">So many cost so little beside the scan that they may be looked at on suspicion; 0 if the scan is cheaper anyway.</param>
/// <param name="WithHope">So many may be looked at if the rows so far say that they will do.</param>
/// <param name="Known">So many may be looked at if it is known that they will do, by an estimate of the rows with one key; 0 where that is not known, because of conditions.</param>
internal readonly record struct FirstRowsBudget(int InVain, int WithHope, int Known)
{
    /// <summary>How many rows may be looked at, by what became of the first ones.</summary>
    /// <param name="lookedAt">So many were.</param>
    /// <param name="taken">So many of them passed the query's conditions.</param>
    /// <param name="wanted">So many have to.</param>
    public int MostFor(int lookedAt, long taken, long wanted) => taken > 0 && (double)lookedAt / taken * wanted <= WithHope ? WithHope : InVain;
}
