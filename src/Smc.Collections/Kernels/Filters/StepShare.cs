namespace Smc.Collections.Kernels;

/// <summary>How many rows of a scan codes of several numbers have left (<see cref="NumberSteps"/>).</summary>
internal struct StepShare
{
    /// <summary>After so many rows it is known whether these codes are worth their time.</summary>
    private const long Trial = 16384;

    /// <summary>They are not where they leave more than one row in so many: each of these is looked at again.</summary>
    private const long RowsForOne = 4;

    private long _asked;
    private long _left;

    /// <summary>Whether values are better read at once.</summary>
    public readonly bool KeepMost => _asked > Trial && _left > _asked / RowsForOne;

    /// <summary>Takes note of rows whose codes were read.</summary>
    /// <param name="asked">How many.</param>
    /// <param name="left">How many of them are left.</param>
    public void Note(int asked, int left)
    {
        _asked += asked;
        _left += left;
    }
}
