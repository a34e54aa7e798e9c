namespace Smc.Memory.Reclamation;

/// <summary>
/// A lane of which every operation frees its share: one piece, one more with each operation while something is left that could have been freed an
/// epoch ago, and one less when nothing is due.
/// </summary>
/// <remarks>Threads of one stripe may change the share at once. One of the changes is lost then, and the next operation makes it again.</remarks>
internal sealed class AmortisedStripe
{
    /// <summary>Pieces that one operation frees at most.</summary>
    public const int LargestShare = 16;

    private int _share = 1;

    public ReclamationLane Lane { get; } = new();

    /// <summary>Pieces that the next operation frees.</summary>
    public int Share => Volatile.Read(ref _share);

    /// <summary>Frees the share of one operation.</summary>
    public void FreeShare()
    {
        if (Lane.IsSearched) return;
        int share = Share;
        Lane.Free(share, waits: false);
        if (Lane.IsSearched) share--;
        else if (Lane.IsBehind) share++;
        Volatile.Write(ref _share, Math.Clamp(share, 1, LargestShare));
    }
}
