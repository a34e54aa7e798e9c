namespace Smc.Memory.Reclamation;

/// <summary>The managers of the process for which something waits. They are kept alive until it is freed, whether anybody still refers to them or not.</summary>
internal static class Reclaimers
{
    // What a thread frees for a manager that is left alone, beside what it frees for its own.
    private const int PiecesForOthers = 256;

    private static readonly Lock s_lock = new();
    private static Reclaimer[] s_known = [];

    /// <summary>Things that wait, of all managers.</summary>
    public static int Waiting
    {
        get
        {
            int waiting = 0;
            foreach (Reclaimer known in Volatile.Read(ref s_known)) waiting += known.Count;
            return waiting;
        }
    }

    public static void Add(Reclaimer reclaimer)
    {
        lock (s_lock)
        {
            if (reclaimer.TryKnow()) Volatile.Write(ref s_known, [.. s_known, reclaimer]);
        }
    }

    /// <summary>Frees everything that is due, of all managers, without waiting for threads that are at it.</summary>
    public static void Drain()
    {
        foreach (Reclaimer known in Volatile.Read(ref s_known)) Free(known, int.MaxValue);
    }

    /// <summary>Frees a little for managers that nobody has worked with for some epochs.</summary>
    /// <param name="own">The manager for which the calling thread moved the epoch on.</param>
    public static void LookAfterOthers(Reclaimer own)
    {
        foreach (Reclaimer known in Volatile.Read(ref s_known))
        {
            if (known != own && known.IsLeftAlone) Free(known, PiecesForOthers);
        }
    }

    private static void Free(Reclaimer reclaimer, int pieces)
    {
        reclaimer.FreeSome(pieces);
        if (reclaimer.Count > 0 || !reclaimer.IsLeftAlone) return;
        lock (s_lock)
        {
            if (reclaimer.TryForget()) Volatile.Write(ref s_known, Array.FindAll(s_known, known => known != reclaimer));
        }
    }
}
