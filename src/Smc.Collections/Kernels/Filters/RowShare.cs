namespace Smc.Collections.Kernels;

/// <summary>Of how many rows of a scan something is true, among those that were asked: what a pass found decides whether it is made again.</summary>
internal struct RowShare
{
    /// <summary>After so many rows it is known whether the pass is worth its time.</summary>
    private const long Trial = 16384;

    private long _asked;
    private long _found;

    /// <summary>Whether it is true of more than one row in so many.</summary>
    public readonly bool IsAboveOneIn(long rows) => _asked > Trial && _found > _asked / rows;

    /// <summary>Whether it is true of one row in so many at most.</summary>
    public readonly bool IsAtMostOneIn(long rows) => _asked > Trial && _found <= _asked / rows;

    /// <summary>Takes note of rows that were asked.</summary>
    /// <param name="asked">How many.</param>
    /// <param name="found">Of how many of them it is true.</param>
    public void Note(int asked, int found)
    {
        _asked += asked;
        _found += found;
    }
}
