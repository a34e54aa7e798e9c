namespace Smc.Collections.Kernels;

/// <summary>How many rows of a scan were open: their codes told no number, and their values were looked at (<see cref="BlockNumbers"/>).</summary>
internal struct OpenRows
{
    /// <summary>After so many rows it is known whether codes are worth their time.</summary>
    private const long Trial = 16384;

    /// <summary>They are not where more than one row in so many is open, as after many changes.</summary>
    private const long RowsForOne = 64;

    private long _asked;
    private long _open;

    /// <summary>Whether values are better read at once.</summary>
    public readonly bool AreMany => _asked > Trial && _open > _asked / RowsForOne;

    /// <summary>Takes note of rows whose codes were read.</summary>
    /// <param name="asked">How many.</param>
    /// <param name="open">How many of them were open.</param>
    public void Note(int asked, int open)
    {
        _asked += asked;
        _open += open;
    }
}
